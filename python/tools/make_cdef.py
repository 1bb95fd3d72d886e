"""Writes holonom/_cffi.py: the declarations of the public headers in the form that cffi reads without parsing.

    make_cdef.py OUT.py HEADER...

What is left of a header is C without comments and preprocessor, which is all that cffi's parser takes. The module that it makes
needs neither this script nor pycparser, so that `import holonom` parses nothing.
"""
import pathlib
import re
import sys

import cffi


def declarations(text):
    """The text of a header without comments, directives, and what stands for C++ alone."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"#\s*ifdef __cplusplus\b.*?#\s*endif", "", text, flags=re.S)
    return re.sub(r"^[ \t]*#[^\n]*", "", text, flags=re.M)


def main():
    out, *headers = map(pathlib.Path, sys.argv[1:])
    ffi = cffi.FFI()
    ffi.cdef("\n".join(declarations(header.read_text()) for header in headers))
    ffi.set_source("holonom._cffi", None)
    ffi.emit_python_code(str(out))


main()
