// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <istream>
#include <stdexcept>
#include <string>

#include "../json_line.hpp"
#include "sample.hpp"

namespace mooring::bench {

/// Each function reads the rest of its request and prints lines of JSON. @throws std::exception
/// whose message is one line
void answer_devices();
void answer_transfer(std::istream& in);
void answer_overlap(std::istream& in);
void answer_numa(std::istream& in);
void answer_p2p(std::istream& in);

/// The next word of a request, or its next number.
template <class T>
T next(std::istream& in) {
  T value{};
  if (in >> value) return value;
  throw std::invalid_argument{"the request is too short, or not a number where one should be"};
}

inline direction next_direction(std::istream& in) {
  auto const name = next<std::string>(in);
  if (name == "H2D") return direction::h2d;
  if (name == "D2H") return direction::d2h;
  if (name == "both") return direction::both;
  throw std::invalid_argument{"no direction " + name};
}

inline void print(sample const& s) {
  json_line{}.add("seconds", s.seconds).add("wrong_words", s.wrong_words).print();
}

inline void print_seconds(double seconds) { json_line{}.add("seconds", seconds).print(); }
inline void print_ready() { json_line{}.add("ready", true).print(); }
inline void print_end() { json_line{}.add("end", true).print(); }

/// What a command has set up for itself. @throws std::logic_error before that
template <class T>
T& existing(T* state) {
  if (state == nullptr) throw std::logic_error{"setup has to come first"};
  return *state;
}

}  // namespace mooring::bench
