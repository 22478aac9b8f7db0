// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/provenance.hpp"

#include <array>
#include <ctime>
#include <tessera/core/error.hpp>
#include <tessera/core/version.hpp>

#include "options/value_text.hpp"

namespace tessera::program {

io::Provenance begin_provenance(const std::string& command_line, const Method& method, const KokkosSettings& settings,
                                const std::string& device, const std::string& input) {
  io::Provenance provenance;
  provenance.version = version();
  provenance.git_revision = git_revision();
  provenance.command_line = command_line;
  provenance.input = input;
  provenance.model = method.description();
  if (const auto biases = method.known_biases(); !biases.empty()) provenance.known_bias = json_of(biases).text();
  provenance.seed = write_value(method.seed());
  provenance.kokkos_version = kokkos_version();
  provenance.kokkos_configuration = kokkos_configuration();
  provenance.backend = backend_name(settings.backend);
  provenance.device = device;
  provenance.start = utc_now();
  return provenance;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

void require_recordable(const std::string& what, const std::string& text) {
  if (text.size() > io::longest_text)
    throw InputError(what + " has " + std::to_string(text.size()) + " bytes, but the output file can hold at most " +
                     std::to_string(io::longest_text));
}

}  // namespace tessera::program
