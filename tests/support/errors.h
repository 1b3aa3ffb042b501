#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "pith/error.h"

namespace pith::testing {

/// Expects action() to throw Error of this kind, in one line that holds every one of `parts`.
template <class Action>
void expect_error(ErrorKind kind, std::initializer_list<std::string_view> parts, const Action& action) {
  try {
    action();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), kind) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    for (const std::string_view part : parts) EXPECT_THAT(text, ::testing::HasSubstr(std::string(part)));
  }
}

template <class Action>
void expect_bad_input(std::initializer_list<std::string_view> parts, const Action& action) {
  expect_error(ErrorKind::bad_input, parts, action);
}

}  // namespace pith::testing
