/*
 * The part of Node-API that guard uses, so that no header is needed. It is binary compatible between Node versions, so one
 * file per architecture serves every Node from 20 on.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef int napi_status;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

/** A value of napi_typedarray_type. */
#define NAPI_UINT8_ARRAY 1
#define NAPI_INT32_ARRAY 5

extern napi_status napi_create_function(napi_env, const char *, size_t, napi_callback, void *, napi_value *);
extern napi_status napi_create_int32(napi_env, int32_t, napi_value *);
extern napi_status napi_create_string_latin1(napi_env, const char *, size_t, napi_value *);
extern napi_status napi_create_uint32(napi_env, uint32_t, napi_value *);
extern napi_status napi_get_cb_info(napi_env, napi_callback_info, size_t *, napi_value *, napi_value *, void **);
extern napi_status napi_get_typedarray_info(napi_env, napi_value, int *, size_t *, void **, napi_value *, size_t *);
extern napi_status napi_get_value_int32(napi_env, napi_value, int32_t *);
extern napi_status napi_get_value_int64(napi_env, napi_value, int64_t *);
extern napi_status napi_set_named_property(napi_env, napi_value, const char *, napi_value);
