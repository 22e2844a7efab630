// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace mooring::bench {

/// One flat JSON object; `print` ends it and writes it as a line of standard output.
class json_line {
 public:
  json_line& add(char const* key, std::uint64_t value) { return raw(key, std::to_string(value)); }
  json_line& add(char const* key, bool value) { return raw(key, value ? "true" : "false"); }

  json_line& add(char const* key, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return raw(key, text);
  }

  json_line& add(char const* key, std::string const& value) {
    std::string quoted = "\"";
    for (char c : value) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return raw(key, quoted + '"');
  }

  void print() {
    std::printf("%s}\n", text_.c_str());
    std::fflush(stdout);
  }

 private:
  json_line& raw(char const* key, std::string const& value) {
    text_ += text_.size() > 1 ? "," : "";
    text_ += '"' + std::string{key} + "\":" + value;
    return *this;
  }

  std::string text_ = "{";
};

}  // namespace mooring::bench
