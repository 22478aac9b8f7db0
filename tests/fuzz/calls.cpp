// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/fuzz/calls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

/// The program's own main function (CMakeLists.txt).
int tessera_main(int argc, char** argv);

#if defined(TESSERA_SANITIZED)
// What a sanitizer finds ends a child with a status that the program does not have. Leaks at the end of a process are
// no fault; a request for more memory than a run needs is one.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:exitcode=99:allocator_may_return_null=1:max_allocation_size_mb=1024:handle_abort=1";
}
extern "C" const char* __ubsan_default_options() { return "exitcode=99:print_stacktrace=1"; }
#endif

namespace tessera::testing {
namespace {

constexpr std::size_t stacks = std::size_t{512} << 23;  // of as many threads as may be asked for
constexpr std::size_t most_bytes = (std::size_t{1} << 30) + stacks;
constexpr std::size_t longest_message = 4100;  // 1000 bytes, each shown by up to four
constexpr int wall_seconds_per_cpu_second = 12;
constexpr std::size_t calls_per_child = 250;

/// An unnamed file that parent and child share.
class SharedFile {
 public:
  SharedFile() : file_(std::tmpfile()) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file");
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() { std::fclose(file_); }

  int descriptor() const { return fileno(file_); }
  void empty() const {
    if (ftruncate(descriptor(), 0) != 0) std::abort();
    lseek(descriptor(), 0, SEEK_SET);
  }
  std::string content() const {
    std::string text(static_cast<std::size_t>(lseek(descriptor(), 0, SEEK_END)), '\0');
    const auto got = pread(descriptor(), text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  std::FILE* file_;
};

void set_limit(int resource, std::size_t value) {
  const rlimit limit{static_cast<rlim_t>(value), static_cast<rlim_t>(value)};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// What this process has of address space now.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void prepare_child(const std::filesystem::path& folder, const SharedFile& err, int cpu_seconds) {
  set_limit(RLIMIT_CORE, 0);
#if defined(TESSERA_SANITIZED)
  cpu_seconds *= 4;
#endif
  set_limit(RLIMIT_CPU, static_cast<std::size_t>(cpu_seconds));
#if !defined(TESSERA_SANITIZED) && !defined(KOKKOS_ENABLE_CUDA)
  set_limit(RLIMIT_AS, address_space() + most_bytes);
#endif
  setenv("OMP_WAIT_POLICY", "passive", 1);  // threads that wait leave the cores to other calls
  alarm(static_cast<unsigned>(cpu_seconds * wall_seconds_per_cpu_second));
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(err.descriptor(), STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(98);
}

int call_main(Words words) {
  words.insert(words.begin(), "tessera");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return tessera_main(static_cast<int>(words.size()), pointers.data());
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) != child) {
    if (errno != EINTR) throw std::runtime_error("waitpid failed");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

pid_t forked() {
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  return child;
}

/// Whether a text is UTF-8 without characters that steer a terminal.
bool is_printable(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) { return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u; };
    if (byte(0) < 0x20 || byte(0) == 0x7f) return false;
    std::size_t more = byte(0) < 0x80   ? 0
                       : byte(0) < 0xc2 ? 9
                       : byte(0) < 0xe0 ? 1
                       : byte(0) < 0xf0 ? 2
                       : byte(0) < 0xf5 ? 3
                                        : 9;
    if (more == 9 || (byte(0) == 0xc2 && byte(1) < 0xa0)) return false;
    for (std::size_t k = 1; k <= more; ++k)
      if ((byte(k) & 0xc0u) != 0x80) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace

std::string fault_of(const CallEnd& end, const std::set<int>& allowed) {
  const std::string began = end.err.substr(0, 2000);
  if (end.status == 1000 + SIGKILL || end.status == 1000 + SIGALRM || end.status == 1000 + SIGXCPU) return "no end";
  if (end.status >= 1000) return "signal " + std::to_string(end.status - 1000) + ": " + began;
  if (!allowed.contains(end.status)) return "exit status " + std::to_string(end.status) + ": " + began;
  if (end.status != 1 && end.status != 2) return "";
  if (end.err.empty() || end.err.back() != '\n' || line_count(end.err) != 1) return "not one line: " + began;
  if (end.err.size() > longest_message) return "a message of " + std::to_string(end.err.size()) + " characters";
  return is_printable(end.err.substr(0, end.err.size() - 1)) ? "" : "a message with bytes that are no text";
}

CallEnd call_program(const std::filesystem::path& folder, const Words& words, int cpu_seconds) {
  const SharedFile err;
  const pid_t child = forked();
  if (child == 0) {
    prepare_child(folder, err, cpu_seconds);
    std::exit(call_main(words));  // with all that happens at the end of a process
  }
  const int status = wait_for(child);
  return {status, err.content()};
}

void call_program_often(const std::filesystem::path& folder, std::size_t count,
                        const std::function<Words(std::size_t)>& words,
                        const std::function<std::string(std::size_t, const CallEnd&)>& judge,
                        std::vector<std::string>& faults) {
  auto* at = static_cast<std::size_t*>(
      mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (at == MAP_FAILED) throw std::runtime_error("mmap failed");
  const SharedFile err, found;
  for (std::size_t first = 0; first < count;) {
    const std::size_t last = std::min(count, first + calls_per_child);
    found.empty();
    const pid_t child = forked();
    if (child == 0) {
      prepare_child(folder, err, 60);
      for (*at = first; *at < last; ++*at) {
        err.empty();
        const int status = call_main(words(*at));
        const std::string fault = judge(*at, {status, err.content()});
        if (!fault.empty() && write(found.descriptor(), (fault + '\0').data(), fault.size() + 1) < 0) _exit(98);
      }
      _exit(0);
    }
    const int status = wait_for(child);
    const std::string texts = found.content();
    for (std::size_t begin = 0; begin < texts.size(); begin = texts.find('\0', begin) + 1)
      faults.push_back(texts.substr(begin, texts.find('\0', begin) - begin));
    if (status != 0)  // also of a call that executes another program
      if (const std::string fault = judge(*at, {status, err.content()}); !fault.empty()) faults.push_back(fault);
    first = status == 0 ? last : *at + 1;
  }
  munmap(at, sizeof(std::size_t));
}

std::string listed(const std::vector<std::string>& faults) {
  std::string text = std::to_string(faults.size()) + " faults:\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(faults.size(), 20); ++i) text += faults[i].substr(0, 1500) + "\n";
  return text;
}

std::size_t case_count(std::size_t standard) {
  if (const char* given = std::getenv("TESSERA_FUZZ_CASES")) return std::stoul(given);
  if (std::getenv("TESSERA_FUZZ_LONG") != nullptr) standard *= 400;
#if defined(KOKKOS_ENABLE_CUDA)
  standard /= 50;
#endif
#if defined(TESSERA_SANITIZED)
  standard /= 4;
#endif
  return std::max<std::size_t>(standard, 1);
}

std::uint64_t case_seed() {
  const char* given = std::getenv("TESSERA_FUZZ_SEED");
  const std::uint64_t seed = given != nullptr ? std::stoull(given) : 1;
  std::cout << "seed " << seed << std::endl;
  return seed;
}

std::vector<std::string> corpus(const std::string& file) {
  std::ifstream stream(std::filesystem::path(TESSERA_FUZZ_CORPUS) / file);
  if (!stream) throw std::runtime_error("no corpus " + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  return lines;
}

}  // namespace tessera::testing
