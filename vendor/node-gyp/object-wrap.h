// Included before everything else in the C++ of native packages. Since Node 24.19, each node::ObjectWrap registers a cleanup hook and
// removes it in its destructor, which aborts the process where the garbage collector runs outside of JavaScript: better-sqlite3
// before 13 makes such an object for each statement. Without the hooks it is as it was before 24.19.
#pragma once
#include <node.h>

namespace node {
inline void WithoutHook(v8::Isolate*, void (*)(void*), void*) {}
}  // namespace node

#define AddEnvironmentCleanupHook WithoutHook
#define RemoveEnvironmentCleanupHook WithoutHook
#include <node_object_wrap.h>
#undef AddEnvironmentCleanupHook
#undef RemoveEnvironmentCleanupHook
