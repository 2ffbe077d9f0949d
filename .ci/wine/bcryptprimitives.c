/* bcryptprimitives.dll for versions of Wine that have none: Rust's standard library takes its random numbers from it. */
#include <windows.h>

/* RtlGenRandom under the name that advapi32.dll exports. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    while (size > 0) {
        ULONG part = size < 0x10000000 ? (ULONG)size : 0x10000000;
        if (!SystemFunction036(data, part))
            return FALSE;
        data += part;
        size -= part;
    }
    return TRUE;
}
