/*
 * flock(2) for Node: one function, take(fd, operation), which returns 0 or the negative errno.
 *
 * Node-API is binary compatible between Node versions, and the system call is made without a C library: one file for
 * each architecture serves every Node from 20 on, with glibc and musl alike. The five declarations below are all of
 * Node-API that is used, so no header is needed. Built by native/build.sh.
 */
typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

extern napi_status napi_create_function(napi_env, const char *, __SIZE_TYPE__, napi_callback, void *, napi_value *);
extern napi_status napi_create_int32(napi_env, int, napi_value *);
extern napi_status napi_get_cb_info(napi_env, napi_callback_info, __SIZE_TYPE__ *, napi_value *, napi_value *, void **);
extern napi_status napi_get_value_int32(napi_env, napi_value, int *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);

#define INVALID_ARGUMENT (-22)

static long system_flock(long fd, long operation) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(73L), "D"(fd), "S"(operation) : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long number __asm__("x8") = 32;
  register long result __asm__("x0") = fd;
  register long second __asm__("x1") = operation;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(number), "r"(second) : "memory");
  return result;
#else
#error "no system call is written down for this architecture"
#endif
}

static napi_value take(napi_env env, napi_callback_info info) {
  __SIZE_TYPE__ count = 2;
  napi_value given[2];
  napi_value result = 0;
  int fd = -1;
  int operation = 0;
  long answer = INVALID_ARGUMENT;
  if (napi_get_cb_info(env, info, &count, given, 0, 0) == 0 && count == 2 &&
      napi_get_value_int32(env, given[0], &fd) == 0 && napi_get_value_int32(env, given[1], &operation) == 0)
    answer = system_flock(fd, operation);
  napi_create_int32(env, (int)answer, &result);
  return result;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  napi_value function = 0;
  if (napi_create_function(env, "take", 4, take, 0, &function) == 0)
    napi_set_named_property(env, exports, "take", function);
  return exports;
}
