"""Runs a command as a container's default profile would: new namespaces and mounts are not permitted. x86_64."""
import ctypes, os, struct, sys

libc = ctypes.CDLL(None, use_errno=True)
# unshare, mount, umount2, setns, open_tree, move_mount, mount_setattr
forbidden = [272, 165, 166, 308, 428, 429, 442]
program = [(0x20, 0, 0, 0)]
for number in forbidden:
    program += [(0x15, 0, 1, number), (6, 0, 0, 0x00050001)]
program += [(6, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in program))


class Filter(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("p", ctypes.c_void_p)]


libc.prctl(38, 1, 0, 0, 0)
assert libc.prctl(22, 2, ctypes.byref(Filter(len(program), ctypes.cast(code, ctypes.c_void_p)))) == 0
os.execvp(sys.argv[1], sys.argv[1:])
