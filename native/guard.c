/*
 * What guard needs from the machine that Node does not offer, or only through a module that takes milliseconds to load:
 *
 *   take(fd, operation)        flock(2): 0, or the negative errno
 *   adopt()                    makes this process the parent of descendants whose own parent has died (prctl(2),
 *                              PR_SET_CHILD_SUBREAPER): 0, or the negative errno
 *   end(status)                exit_group(2) with a status from 0 to 255: the process ends here, and neither Node nor the C
 *                              library cleans up
 *   bury(pid)                  non-blocking wait4(2): the pid of a child that has died, 0 if it is alive, or the negative errno
 *   sha256(bytes)              64 lower-case hexadecimal digits
 *   crc32(bytes, start, end)   of bytes[start..end), 0 to 2^32-1
 *   pageSum(page, number)      checksum of a page of the ledger's index, an Int32Array
 *
 * `bytes` is a Uint8Array. For arguments of other types, the answer is undefined. System calls are made without a C
 * library, so that one file per architecture serves both glibc and musl. Built by native/build.sh.
 */
#include "node-api.h"
#include "sums.h"

#if defined(__x86_64__)
#define SYSTEM_FLOCK 73
#define SYSTEM_PRCTL 157
#define SYSTEM_WAIT4 61
#define SYSTEM_EXIT_GROUP 231
#elif defined(__aarch64__)
#define SYSTEM_FLOCK 32
#define SYSTEM_PRCTL 167
#define SYSTEM_WAIT4 260
#define SYSTEM_EXIT_GROUP 94
#else
#error "no system call is written down for this architecture"
#endif

static long system_call(long number, long first, long second, long third) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = 0;
  register long fifth __asm__("r8") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth), "r"(fifth)
                   : "rcx", "r11", "memory");
  return result;
#else
  register long called __asm__("x8") = number;
  register long result __asm__("x0") = first;
  register long x1 __asm__("x1") = second;
  register long x2 __asm__("x2") = third;
  register long x3 __asm__("x3") = 0;
  register long x4 __asm__("x4") = 0;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(called), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return result;
#endif
}

static int are_given(napi_env env, napi_callback_info info, size_t wanted, napi_value given[]) {
  size_t count = wanted;
  return napi_get_cb_info(env, info, &count, given, 0, 0) == 0 && count == wanted;
}

static int is_array(napi_env env, napi_value value, int wanted, void **data, size_t *length) {
  int type = -1;
  return napi_get_typedarray_info(env, value, &type, length, data, 0, 0) == 0 && type == wanted;
}

static int are_bytes(napi_env env, napi_value value, const uint8_t **bytes, size_t *length) {
  return is_array(env, value, NAPI_UINT8_ARRAY, (void **)bytes, length);
}

static napi_value take(napi_env env, napi_callback_info info) {
  napi_value given[2], result = 0;
  int32_t fd, operation;
  if (are_given(env, info, 2, given) && napi_get_value_int32(env, given[0], &fd) == 0 &&
      napi_get_value_int32(env, given[1], &operation) == 0)
    napi_create_int32(env, (int32_t)system_call(SYSTEM_FLOCK, fd, operation, 0), &result);
  return result;
}

#define PR_SET_CHILD_SUBREAPER 36
#define WNOHANG 1

static napi_value adopt(napi_env env, napi_callback_info info) {
  napi_value result = 0;
  (void)info;
  napi_create_int32(env, (int32_t)system_call(SYSTEM_PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0), &result);
  return result;
}

static napi_value bury(napi_env env, napi_callback_info info) {
  napi_value given[1], result = 0;
  int32_t pid;
  if (are_given(env, info, 1, given) && napi_get_value_int32(env, given[0], &pid) == 0 && pid > 1)
    napi_create_int32(env, (int32_t)system_call(SYSTEM_WAIT4, pid, 0, WNOHANG), &result);
  return result;
}

static napi_value end(napi_env env, napi_callback_info info) {
  napi_value given[1];
  int32_t status;
  if (are_given(env, info, 1, given) && napi_get_value_int32(env, given[0], &status) == 0 && status >= 0 && status <= 255)
    system_call(SYSTEM_EXIT_GROUP, status, 0, 0);
  return 0;
}

static napi_value take_sha256(napi_env env, napi_callback_info info) {
  napi_value given[1], result = 0;
  const uint8_t *bytes;
  size_t length;
  char hex[SHA256_HEX];
  if (!are_given(env, info, 1, given) || !are_bytes(env, given[0], &bytes, &length)) return 0;
  sha256(bytes, length, hex);
  napi_create_string_latin1(env, hex, SHA256_HEX, &result);
  return result;
}

static napi_value take_crc32(napi_env env, napi_callback_info info) {
  napi_value given[3], result = 0;
  const uint8_t *bytes;
  size_t length;
  int64_t start, end;
  if (are_given(env, info, 3, given) && are_bytes(env, given[0], &bytes, &length) &&
      napi_get_value_int64(env, given[1], &start) == 0 && napi_get_value_int64(env, given[2], &end) == 0 && start >= 0 &&
      start <= end && (uint64_t)end <= length)
    napi_create_uint32(env, crc32(bytes + start, (size_t)(end - start)), &result);
  return result;
}

static napi_value take_page_sum(napi_env env, napi_callback_info info) {
  napi_value given[2], result = 0;
  const uint32_t *words;
  size_t length;
  int32_t number;
  if (are_given(env, info, 2, given) && is_array(env, given[0], NAPI_INT32_ARRAY, (void **)&words, &length) &&
      length > PAGE_SUMMED && napi_get_value_int32(env, given[1], &number) == 0)
    napi_create_int32(env, (int32_t)page_sum(words, (uint32_t)number), &result);
  return result;
}

static void name(napi_env env, napi_value exports, const char *text, napi_callback function) {
  napi_value made = 0;
  if (napi_create_function(env, text, (size_t)-1, function, 0, &made) == 0)
    napi_set_named_property(env, exports, text, made);
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  name(env, exports, "take", take);
  name(env, exports, "adopt", adopt);
  name(env, exports, "bury", bury);
  name(env, exports, "end", end);
  name(env, exports, "sha256", take_sha256);
  name(env, exports, "crc32", take_crc32);
  name(env, exports, "pageSum", take_page_sum);
  return exports;
}
