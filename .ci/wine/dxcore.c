/* dxcore.dll for versions of Wine that have none. DirectML asks it for the adapter of the D3D12 device that it is given;
   for the suite's null device, which is on no adapter, any will do. */
#include <stdint.h>
#include <string.h>
#include <windows.h>

typedef struct object {
    const void *const *methods;
} object;

static HRESULT WINAPI query_interface(object *this, const GUID *wanted, object **out)
{
    (void)wanted;
    *out = this;
    return S_OK;
}

static ULONG WINAPI count(object *this)
{
    (void)this;
    return 1;
}

static HRESULT WINAPI not_implemented(void)
{
    return E_NOTIMPL;
}

static BOOLEAN WINAPI yes(void)
{
    return TRUE;
}

/* What a property of DXCoreAdapterProperty holds: its size, or 0 where there is no such property. */
static size_t describe(uint32_t property, uint8_t bytes[16])
{
    static const uint64_t gibibyte = (uint64_t)1 << 30;
    static const uint64_t luid = 1, version = 1, own = 4 * gibibyte;
    switch (property) {
    case 0: memcpy(bytes, &luid, 8); return 8;
    case 1: memcpy(bytes, &version, 8); return 8;
    case 2: memcpy(bytes, "null device", 12); return 12;
    case 3: memset(bytes, 0, 16); return 16;       /* vendor, device, subsystem, revision */
    case 7: memcpy(bytes, &own, 8); return 8;      /* memory of its own */
    case 8:                                        /* system memory, dedicated and shared */
    case 9: memcpy(bytes, &gibibyte, 8); return 8;
    case 11: bytes[0] = 1; return 1;               /* hardware */
    case 12: bytes[0] = 0; return 1;               /* integrated */
    default: return 0;
    }
}

static BOOLEAN WINAPI has_property(object *this, uint32_t property)
{
    uint8_t bytes[16];
    (void)this;
    return describe(property, bytes) > 0;
}

static HRESULT WINAPI get_property(object *this, uint32_t property, size_t room, void *out)
{
    uint8_t bytes[16];
    size_t size = describe(property, bytes);
    (void)this;
    if (size == 0 || room < size)
        return E_INVALIDARG;
    memcpy(out, bytes, size);
    return S_OK;
}

static HRESULT WINAPI property_size(object *this, uint32_t property, size_t *out)
{
    uint8_t bytes[16];
    (void)this;
    *out = describe(property, bytes);
    return *out > 0 ? S_OK : E_INVALIDARG;
}

static const void *const adapter_methods[] = {
    query_interface, count, count,
    yes, yes, has_property, get_property, property_size,
    not_implemented, not_implemented, not_implemented, not_implemented, not_implemented,
};
static object adapter = {adapter_methods};

static HRESULT WINAPI adapter_by_luid(object *this, const LUID *luid, const GUID *wanted, object **out)
{
    (void)this, (void)luid, (void)wanted;
    *out = &adapter;
    return S_OK;
}

static const void *const factory_methods[] = {
    query_interface, count, count,
    not_implemented, adapter_by_luid, not_implemented, not_implemented, not_implemented,
};
static object factory = {factory_methods};

__declspec(dllexport) HRESULT WINAPI DXCoreCreateAdapterFactory(const GUID *wanted, object **out)
{
    (void)wanted;
    *out = &factory;
    return S_OK;
}
