// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <thread>
#include <vector>

namespace tessera::testing {

/// _longjmp() without the check of fortified builds, which know of one stack.
extern "C" [[noreturn]] void jump_to(jmp_buf where, int value) __asm__("_longjmp");

/// The lanes of a team as tasks of one host thread: between two barriers its warps run one after the other, and so do
/// the lanes of a warp between two barriers of theirs, in an order that is drawn anew each time. What depends on that
/// order is a race of lanes, and shows. Every other team has warps of 64 lanes, as AMD's GPUs have.
class LaneTasks {
 public:
  /// Calls work(rank) as `lanes` tasks, and returns when all have.
  static void run(int lanes, const std::function<void(int)>& work) {
    LaneTasks tasks(lanes, work);
    active() = &tasks;
    std::vector<int> warps((static_cast<std::size_t>(lanes + tasks.warp_ - 1)) / static_cast<std::size_t>(tasks.warp_));
    std::iota(warps.begin(), warps.end(), 0);
    for (bool left = true; left;) {
      left = false;
      std::shuffle(warps.begin(), warps.end(), tasks.random_);
      for (const int number : warps) left |= tasks.run_warp(number);
    }
    active() = nullptr;
  }

  /// Lets all other tasks come as far as this one, or those of its warp alone.
  static void wait(bool for_warp) {
    LaneTasks& tasks = *active();
    Task& task = tasks.tasks_[static_cast<std::size_t>(tasks.current_)];
    task.waits_for_warp = for_warp;
    if (_setjmp(task.pause) == 0) jump_to(tasks.scheduler_, 1);
  }

 private:
  // A context begins a task. A jump goes on with it, and calls no system, as swapcontext() does, which takes ten times
  // as long.
  struct Task {
    static constexpr std::size_t size = 64 * 1024;
    std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(size);
    ucontext_t beginning;
    jmp_buf pause;
    bool begun = false, waits_for_warp = false, done = false;
  };

  LaneTasks(int lanes, const std::function<void(int)>& work) : work_(work), tasks_(static_cast<std::size_t>(lanes)) {
    static thread_local int teams = 0;
    warp_ = ++teams % 2 == 0 ? 64 : 32;
    for (int rank = 0; rank < lanes; ++rank) {
      Task& task = tasks_[static_cast<std::size_t>(rank)];
      getcontext(&task.beginning);
      task.beginning.uc_stack.ss_sp = task.stack.get();
      task.beginning.uc_stack.ss_size = Task::size;
      makecontext(&task.beginning, &LaneTasks::begin, 0);
    }
  }

  /// Lets the lanes of a warp come to the next barrier of the team; whether any has more to do then. Half of a warp of
  /// 64 may be there while the other one comes to barriers of the warp.
  bool run_warp(int number) {
    const int first = number * warp_, end = std::min(first + warp_, static_cast<int>(tasks_.size()));
    std::vector<int> order(static_cast<std::size_t>(end - first));
    std::iota(order.begin(), order.end(), first);
    bool left = false;
    for (bool again = true, begins = true; again; begins = false) {
      again = left = false;
      std::shuffle(order.begin(), order.end(), random_);
      for (const int rank : order) {
        Task& task = tasks_[static_cast<std::size_t>(rank)];
        left |= !task.done && !begins && !task.waits_for_warp;
        if (task.done || (!begins && !task.waits_for_warp)) continue;
        current_ = rank;
        task.waits_for_warp = false;
        go_on(task);
        left |= !task.done;
        again |= task.waits_for_warp;
      }
    }
    return left;
  }

  void go_on(Task& task) {
    if (_setjmp(scheduler_) != 0) return;
    if (task.begun) jump_to(task.pause, 1);
    task.begun = true;
    setcontext(&task.beginning);
  }

  static void begin() {
    LaneTasks& tasks = *active();
    const int rank = tasks.current_;
    tasks.work_(rank);
    Task& task = tasks.tasks_[static_cast<std::size_t>(rank)];
    task.done = true;
    task.waits_for_warp = false;
    jump_to(tasks.scheduler_, 1);
  }

  static LaneTasks*& active() {
    static thread_local LaneTasks* tasks = nullptr;
    return tasks;
  }

  const std::function<void(int)>& work_;
  std::vector<Task> tasks_;
  std::mt19937 random_{12345};
  jmp_buf scheduler_;
  int warp_, current_ = 0;
};

/// A team of Kokkos' team interface, so that what a GPU's teams do in lockstep can be tested, and searched for races,
/// without a GPU: with one host thread to a lane, or, much quicker, with LaneTasks.
class EmulatedTeam {
 public:
  /// Calls work(team) on every lane of a team of so many.
  template <class Work>
  static void run(int lanes, const Work& work, bool on_threads = false) {
    Shared shared(lanes, on_threads);
    if (on_threads) {
      std::vector<std::jthread> threads;
      for (int rank = 0; rank < lanes; ++rank)
        threads.emplace_back([&work, &shared, lanes, rank] { work(EmulatedTeam(shared, lanes, rank)); });
    } else {
      LaneTasks::run(lanes, [&](int rank) { work(EmulatedTeam(shared, lanes, rank)); });
    }
  }

  // For devices, too, so that device code can be compiled for such a team; there it does nothing.
  KOKKOS_FUNCTION int team_rank() const { return rank_; }
  KOKKOS_FUNCTION int team_size() const { return lanes_; }
  KOKKOS_FUNCTION void team_barrier() const { KOKKOS_IF_ON_HOST((wait();)) }
  KOKKOS_FUNCTION void warp_barrier() const { KOKKOS_IF_ON_HOST((wait_for_warp();)) }
  template <class Reducer>
  KOKKOS_FUNCTION void team_reduce([[maybe_unused]] const Reducer& reducer) const {
    KOKKOS_IF_ON_HOST((reduce(reducer);))
  }

 private:
  void wait() const {
    if (shared_->on_threads)
      shared_->barrier.arrive_and_wait();
    else
      LaneTasks::wait(false);
  }

  void wait_for_warp() const {
    if (shared_->on_threads)
      shared_->of_warps[rank_ / warp_lanes].arrive_and_wait();
    else
      LaneTasks::wait(true);
  }

  template <class Reducer>
  void reduce(const Reducer& reducer) const {
    using Value = typename Reducer::value_type;
    const Value mine = reducer.reference();
    shared_->values[rank_] = &mine;
    wait();
    Value result = *static_cast<const Value*>(shared_->values[0]);
    for (int lane = 1; lane < lanes_; ++lane) reducer.join(result, *static_cast<const Value*>(shared_->values[lane]));
    wait();
    reducer.reference() = result;
  }

  struct Shared {
    Shared(int lanes, bool threads) : barrier(lanes), on_threads(threads), values(lanes) {
      for (int first = 0; first < lanes; first += warp_lanes)
        of_warps.emplace_back(std::min(warp_lanes, lanes - first));
    }
    std::barrier<> barrier;
    std::deque<std::barrier<>> of_warps;
    bool on_threads;
    std::vector<const void*> values;  ///< of the lanes that reduce
  };

  EmulatedTeam(Shared& shared, int lanes, int rank) : shared_(&shared), lanes_(lanes), rank_(rank) {}

  Shared* shared_;
  int lanes_, rank_;
};

/// A stand-in for an execution space with host memory whose teams have one lane, or more.
template <bool many>
struct EmulatedLanes {
  using memory_space = Kokkos::HostSpace;
};

}  // namespace tessera::testing

namespace tessera {
template <bool many>
inline constexpr int lanes_per_tile<testing::EmulatedLanes<many>> = many ? warp_lanes : 1;
}  // namespace tessera
