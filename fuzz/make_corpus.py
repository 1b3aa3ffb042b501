#!/usr/bin/env python3
"""Writes the hand-made seeds of fuzz/corpus: small valid files of every variety, and files that lie.

Uses the standard library only. Files named crash-* were found by fuzzing and are left alone.
"""

import base64
import gzip
import io
import json
import random
import struct
import zipfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent / "corpus"
VALUES = [1.0, -2.5, 0.5, 3.0, 0.25, 100.0]  # a 2 x 3 matrix, exact in every type


def save(target, name, data):
    folder = ROOT / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def npy(descr, data, shape="(2, 3)", fortran=False, version=1, header=None, magic=b"\x93NUMPY"):
    """An .npy file with the given header fields, true or not."""
    if header is None:
        header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    header = header.encode() if isinstance(header, str) else header
    length = "<H" if version == 1 else "<I"
    prefix = 8 + struct.calcsize(length)
    header += b" " * (-(prefix + len(header) + 1) % 64) + b"\n"
    return magic + bytes([version, 0]) + struct.pack(length, len(header)) + header + data


def floats(descr, values=None):
    code = {"f2": "e", "f4": "f", "f8": "d"}[descr[1:]]
    return struct.pack(descr[0] + str(len(values or VALUES)) + code, *(values or VALUES))


COLUMN_MAJOR = [VALUES[row * 3 + col] for col in range(3) for row in range(2)]


def make_npy():
    for order, order_name in (("<", "little"), (">", "big")):
        for kind in ("f2", "f4", "f8"):
            descr = order + kind
            for version in (1, 2, 3):
                save("npy", f"{kind}_{order_name}_c_v{version}.npy", npy(descr, floats(descr), version=version))
            save("npy", f"{kind}_{order_name}_fortran.npy",
                 npy(descr, floats(descr, COLUMN_MAJOR), fortran=True))
    good = npy("<f4", floats("<f4"))
    save("npy", "bad_truncated_data.npy", good[:-1])
    save("npy", "bad_truncated_header.npy", good[:40])
    save("npy", "bad_truncated_length.npy", good[:9])
    save("npy", "bad_magic_only.npy", good[:6])
    save("npy", "bad_magic.npy", b"PNGXYZ" + good[6:])
    save("npy", "bad_empty.npy", b"")
    save("npy", "bad_trailing.npy", good + b"\0" * 4)
    save("npy", "bad_version.npy", npy("<f4", floats("<f4"), version=9))
    save("npy", "bad_minor_version.npy", good[:7] + b"\x07" + good[8:])
    save("npy", "bad_leading_zero.npy", npy("<f4", floats("<f4"), "(02, 3)"))
    save("npy", "bad_overflow.npy", npy("<f4", b"", "(4294967296, 4294967296)"))
    save("npy", "bad_overflow_digits.npy", npy("<f4", b"", "(99999999999999999999999, 2)"))
    save("npy", "bad_overflow_wraps_small.npy", npy("<f8", b"", "(4294967294, 4294967294)"))
    save("npy", "bad_rows.npy", npy("<f4", b"", "(4294967295, 1)"))
    save("npy", "bad_beyond.npy", npy("<f4", floats("<f4"), "(1000000, 1000)"))
    save("npy", "bad_zero_rows.npy", npy("<f4", b"", "(0, 3)"))
    save("npy", "bad_zero_cols.npy", npy("<f4", b"", "(3, 0)"))
    save("npy", "bad_1d.npy", npy("<f4", floats("<f4"), "(6,)"))
    save("npy", "bad_3d.npy", npy("<f4", floats("<f4"), "(1, 2, 3)"))
    save("npy", "bad_0d.npy", npy("<f4", floats("<f4", [1.0]), "()"))
    save("npy", "bad_int64.npy", npy("<i8", struct.pack("<6q", *range(6))))
    save("npy", "bad_object.npy", npy("|O", b"\x80\x04]."))
    save("npy", "bad_structured.npy", npy("", b"\0" * 24, header="{'descr': [('a', '<f4')], 'fortran_order': False, "
                                          "'shape': (6,), }"))
    save("npy", "bad_negative.npy", npy("<f4", floats("<f4"), "(-2, 3)"))
    for name, header in {
        "no_brace": "'descr': '<f4'}",
        "no_shape": "{'descr': '<f4', 'fortran_order': False}",
        "repeated": "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "unknown_key": "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}",
        "open_string": "{'descr': '<f4",
        "after": "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} import os",
        "bool": "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
        "tuple": "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}",
        "utf8": b"{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (2, 3)}",
    }.items():
        save("npy", f"bad_header_{name}.npy", npy("", floats("<f4"), header=header))


def npz(arrays, method=zipfile.ZIP_STORED, zip64=True):
    """What numpy.savez writes: one .npy an entry, zip64 local headers."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in arrays.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            with archive.open(info, "w", force_zip64=zip64) as entry:
                entry.write(data)
    return out.getvalue()


def make_npz():
    matrix = npy("<f4", floats("<f4"))
    wide = npy(">f8", floats(">f8", COLUMN_MAJOR), fortran=True)
    labels = npy("<i8", struct.pack("<2q", 0, 1), "(2,)")
    deflated = zipfile.ZIP_DEFLATED
    good = npz({"emb.npy": matrix})
    save("npz", "stored.npz", good)
    save("npz", "stored_no_zip64.npz", npz({"emb.npy": matrix}, zip64=False))
    save("npz", "deflated.npz", npz({"emb.npy": matrix}, deflated))
    save("npz", "matrix_and_labels.npz", npz({"y.npy": labels, "emb.npy": wide}))
    save("npz", "matrix_and_labels_deflated.npz", npz({"y.npy": labels, "emb.npy": wide}, deflated))
    save("npz", "two_matrices.npz", npz({"a.npy": matrix, "b.npy": wide}))
    zeros = npy("<f4", b"\0" * 4 * 64 * 64, "(64, 64)")
    save("npz", "deflated_zeros.npz", npz({"zeros.npy": zeros}, deflated))
    commented = io.BytesIO(good)
    with zipfile.ZipFile(commented, "a") as archive:
        archive.comment = b"a comment PK\x05\x06"
    save("npz", "comment.npz", commented.getvalue())
    save("npz", "bad_no_arrays.npz", npz({"readme.txt": b"hello"}))
    save("npz", "bad_empty_archive.npz", npz({}))
    save("npz", "bad_empty.npz", b"")
    save("npz", "bad_truncated.npz", good[:-30])
    save("npz", "bad_half.npz", good[: len(good) // 2])
    save("npz", "bad_not_zip.npz", matrix)
    save("npz", "bad_inner_truncated.npz", npz({"emb.npy": matrix[:-4]}))
    save("npz", "bad_bzip2.npz", npz({"emb.npy": matrix}, zipfile.ZIP_BZIP2))
    central = good.index(b"PK\x01\x02")

    def patched(at, data, source=good):
        return source[:at] + data + source[at + len(data):]

    save("npz", "bad_local_signature.npz", patched(0, b"XX"))
    save("npz", "bad_local_name.npz", patched(30, b"x"))
    save("npz", "bad_offset.npz", patched(central + 42, struct.pack("<I", 7)))
    save("npz", "bad_offset_beyond.npz", patched(central + 42, struct.pack("<I", 1 << 31)))
    save("npz", "bad_size.npz", patched(central + 20, struct.pack("<II", 1 << 30, 1 << 30)))
    save("npz", "bad_size_differs.npz", patched(central + 24, struct.pack("<I", 12)))
    save("npz", "bad_encrypted.npz", patched(central + 8, struct.pack("<H", 1)))
    save("npz", "bad_zip64_without_field.npz", patched(central + 20, b"\xff" * 8))
    save("npz", "bad_count.npz", patched(len(good) - 22 + 8, struct.pack("<HH", 60000, 60000)))
    packed = npz({"emb.npy": matrix}, deflated)
    central = packed.index(b"PK\x01\x02")
    save("npz", "bad_bomb.npz", patched(central + 24, struct.pack("<I", 1 << 31), packed))
    save("npz", "bad_crc.npz", patched(central + 16, b"\0\0\0\0", packed))
    save("npz", "bad_deflate.npz", patched(60, b"\xff" * 8, packed))


def safetensors(header, data, length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def make_safetensors():
    def put(name, *args, **kwargs):
        save("safetensors", name + ".safetensors", safetensors(*args, **kwargs))

    f4 = floats("<f4")
    bf16 = b"".join(struct.pack("<f", v)[2:] for v in VALUES)
    put("f16", {"x": tensor("F16", [2, 3], 0, 12)}, floats("<f2"))
    put("bf16", {"x": tensor("BF16", [2, 3], 0, 12)}, bf16)
    put("f32", {"x": tensor("F32", [2, 3], 0, 24)}, f4)
    put("f64", {"x": tensor("F64", [2, 3], 0, 48)}, floats("<f8"))
    put("metadata", {"__metadata__": {"format": "pt"}, "x": tensor("F32", [2, 3], 0, 24)}, f4)
    put("unaligned", {"y": tensor("U8", [1], 0, 1), "x": tensor("F32", [2, 3], 1, 25)}, b"\x07" + f4)
    put("two", {"a": tensor("F32", [2, 3], 0, 24), "b": tensor("F32", [2, 3], 0, 24)}, f4)
    put("bad_none", {"__metadata__": {}}, b"")
    put("bad_i64", {"x": tensor("I64", [1, 3], 0, 24)}, f4)
    put("bad_beyond", {"x": tensor("F32", [2, 300], 0, 2400)}, f4)
    put("bad_size", {"x": tensor("F32", [2, 4], 0, 24)}, f4)
    put("bad_order", {"x": tensor("F32", [2, 3], 24, 0)}, f4)
    put("bad_overflow", {"x": tensor("F32", [1 << 31, 1 << 31], 0, 24)}, f4)
    put("bad_overflow_huge", {"x": tensor("F32", [1 << 63, 8], 0, 24)}, f4)
    put("bad_huge_number", b'{"x":{"dtype":"F32","shape":[1e999,2],"data_offsets":[0,24]}}', f4)
    put("bad_negative", {"x": tensor("F32", [-2, 3], 0, 24)}, f4)
    put("bad_rows", {"x": tensor("F32", [0, 3], 0, 0)}, b"")
    put("bad_1d", {"x": tensor("F32", [6], 0, 24)}, f4)
    put("bad_dtype", {"x": {"dtype": 4, "shape": [2, 3], "data_offsets": [0, 24]}}, f4)
    put("bad_shape", {"x": {"dtype": "F32", "shape": "2x3", "data_offsets": [0, 24]}}, f4)
    put("bad_offsets", {"x": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0]}}, f4)
    put("bad_entry", {"x": 3}, f4)
    put("bad_list", [1, 2, 3], f4)
    put("bad_json", b'{"x": {"dtype"', f4)
    put("bad_utf8", b'{"\xff\xfe": 1}', f4)
    put("bad_deep", b"[" * 5000, b"")
    put("bad_repeated", b'{"x":{},"x":{}}', f4)
    put("bad_length", {"x": tensor("F32", [2, 3], 0, 24)}, f4, length=10_000)
    put("bad_length_huge", {"x": tensor("F32", [2, 3], 0, 24)}, f4, length=(1 << 64) - 1)
    save("safetensors", "bad_short.safetensors", b"\x01\0\0")
    save("safetensors", "bad_empty.safetensors", b"")


def make_csv():
    save("csv", "plain.csv", "1,-2.5,0.5\n3,0.25,100\n")
    save("csv", "header.csv", "x,y,z\n1,-2.5,0.5\n3,0.25,100\n")
    save("csv", "crlf.csv", "x,y,z\r\n1,-2.5,0.5\r\n3,0.25,100\r\n\r\n  \r\n")
    save("csv", "quoted.csv", '"x ""1""","y,2","z\n3"\n"1"," -2.5 ",+0.5\n 3 ,2.5e-1,1E2')
    save("csv", "bom.csv", b"\xef\xbb\xbf1,2\n3,4\n")
    save("csv", "probabilities.csv", "0.1,0.9\n0.5,0.5\n")
    save("csv", "tabs.tsv", "x\ty\n1\t2\n3\t4\n")
    save("csv", "nan.csv", "1,nan\n-inf,2\n")
    save("csv", "bad_ragged.csv", "1,2\n3\n")
    save("csv", "bad_text.csv", "1,2\n3,four\n")
    save("csv", "bad_blank_inside.csv", "1,2\n\n3,4\n")
    save("csv", "bad_header_only.csv", "x,y\n")
    save("csv", "bad_empty.csv", "")
    save("csv", "bad_blank.csv", "\n \n\r\n")
    save("csv", "bad_range.csv", "1,2\n3,1e99\n")
    save("csv", "bad_open_quote.csv", '1,2\n"3,4\n')
    save("csv", "bad_after_quote.csv", '1,2\n"3"x,4\n')
    save("csv", "bad_utf8.csv", b"1,2\n\xff\xfe,\x00\n")
    save("csv", "bad_trailing_comma.csv", "1,2,\n3,4,\n")
    save("csv", "bad_long_number.csv", "1,2\n" + "9" * 3000 + ",1\n")


def make_fvecs():
    rows = [struct.pack("<i3f", 3, *VALUES[:3]), struct.pack("<i3f", 3, *VALUES[3:])]
    save("fvecs", "good.fvecs", b"".join(rows))
    save("fvecs", "one.fvecs", rows[0])
    save("fvecs", "bad_truncated.fvecs", b"".join(rows)[:-1])
    save("fvecs", "bad_ragged.fvecs", rows[0] + struct.pack("<i3f", 2, *VALUES[3:]))
    save("fvecs", "bad_negative.fvecs", struct.pack("<i3f", -3, *VALUES[:3]))
    save("fvecs", "bad_zero.fvecs", struct.pack("<i", 0))
    save("fvecs", "bad_beyond.fvecs", struct.pack("<i3f", 2**31 - 1, *VALUES[:3]))
    save("fvecs", "bad_short.fvecs", b"\x03\0")
    save("fvecs", "bad_empty.fvecs", b"")


def make_manifest():
    save("manifest", "text.txt", "a.png\nb c.png\nd\u00e9.png\n")
    save("manifest", "crlf.txt", "a.png\r\nb.png\r\n\r\n")
    save("manifest", "columns.csv", 'label,path\n1,a.png\n2,"b,c.png"\n')
    save("manifest", "no_header.csv", "a.png,1\nb.png,2\n")
    save("manifest", "columns.tsv", "name\tlabel\na\t1\nb\t2\n")
    save("manifest", "strings.jsonl", '"a"\n"b\\u00e9"\n')
    save("manifest", "objects.jsonl", '{"id": "a", "x": [1, {"y": 2}]}\n{"path": "b"}\n{"id": 7}\n')
    save("manifest", "bad_duplicate.txt", "a\nb\na\n")
    save("manifest", "bad_blank_inside.txt", "a\n\nb\n")
    save("manifest", "bad_utf8.txt", b"a\n\xff\xfe\n\xed\xa0\x80\n")
    save("manifest", "bad_control.txt", b"a\nb\0c\n\x1b[31m\n")
    save("manifest", "bad_key.jsonl", '{"x": 1}\n')
    save("manifest", "bad_type.jsonl", '{"id": null}\n')
    save("manifest", "bad_json.jsonl", '{"id": \n')
    save("manifest", "bad_deep.jsonl", "[" * 3000 + "\n")
    save("manifest", "bad_surrogate.jsonl", '"\\ud800"\n')
    save("manifest", "bad_ragged.csv", "id,x\na,1\nb\n")
    save("manifest", "bad_empty.txt", "")


def make_item_list():
    save("item_list", "indices.txt", "0\n3\n1\n")
    save("item_list", "ids.txt", "a.png\nid\n7\n")
    save("item_list", "labels.csv", "index,label\n0,5\n2,\n1\n")
    save("item_list", "ids.csv", "label,id\n3,b.png\n,a.png\n")
    save("item_list", "no_header.csv", "0,1\n3\n")
    save("item_list", "labels.tsv", "id\tlabel\na.png\t0\n")
    for order in "<>":
        for code, letter in (("i1", "b"), ("u1", "B"), ("i2", "h"), ("u2", "H"), ("i4", "i"), ("u4", "I"), ("i8", "q"),
                             ("u8", "Q")):
            save("item_list", f"{code}_{'little' if order == '<' else 'big'}.npy",
                 npy(order + code, struct.pack(order + "3" + letter, 3, 0, 2), "(3,)"))
    save("item_list", "none.npy", npy("<i8", b"", "(0,)"))
    save("item_list", "bad_negative.npy", npy("<i8", struct.pack("<q", -1), "(1,)"))
    save("item_list", "bad_huge.npy", npy("<u8", b"\xff" * 8, "(1,)"))
    save("item_list", "bad_float.npy", npy("<f8", b"\0" * 8, "(1,)"))
    save("item_list", "bad_2d.npy", npy("<i8", b"\0" * 8, "(1, 1)"))
    save("item_list", "bad_overflow.npy", npy("<i8", b"\0" * 8, "(9223372036854775807,)"))
    save("item_list", "bad_range.txt", "4\n")
    save("item_list", "bad_minus.txt", "-1\n")
    save("item_list", "bad_long.txt", "9" * 40)
    save("item_list", "bad_unknown.txt", "z.png\n")
    save("item_list", "bad_repeat.txt", "1\n1\n")
    save("item_list", "bad_label.csv", "index,label\n0,cat\n")
    save("item_list", "bad_label_range.csv", "index,label\n0,4294967295\n")
    save("item_list", "bad_columns.csv", "0,1,2\n")
    save("item_list", "bad_utf8.txt", b"\xff\xfe\n")
    save("item_list", "empty.txt", "")


def make_column():
    save("column", "plain.csv", "1\n0.5\n2e3\n")
    save("column", "header.csv", "score\n1\n0\n3\n")
    save("column", "named.csv", "id,a\nx,1\ny,2\nz,3\n")
    save("column", "named.tsv", "a\tb\n1\t2\n3\t4\n5\t6\n")
    save("column", "f8.npy", npy("<f8", struct.pack("<3d", 1, 2, 3), "(3,)"))
    save("column", "f4_column.npy", npy("<f4", struct.pack("<3f", 1, 2, 3), "(3, 1)"))
    save("column", "f2_big.npy", npy(">f2", struct.pack(">3e", 1, 2, 3), "(3,)"))
    save("column", "i8.npy", npy("<i8", struct.pack("<3q", 1, 0, 3), "(3,)"))
    save("column", "empty.csv", "")
    save("column", "bad_negative.csv", "1\n-1\n2\n")
    save("column", "bad_nan.csv", "nan\n1\n2\n")
    save("column", "bad_inf.csv", "1\ninf\n2\n")
    save("column", "bad_range.csv", "1\n1e999\n2\n")
    save("column", "bad_text.csv", "1\nx\n2\n")
    save("column", "bad_ragged.csv", "b,a\n1\n1,2\n")
    save("column", "bad_few.csv", "1\n2\n")
    save("column", "bad_2d.npy", npy("<f4", b"\0" * 24, "(3, 2)"))
    save("column", "bad_0d.npy", npy("<f8", b"\0" * 8, "()"))
    save("column", "bad_bool.npy", npy("|b1", b"\1\0\1", "(3,)"))
    save("column", "bad_nan.npy", npy("<f4", struct.pack("<3f", 1, float("nan"), 3), "(3,)"))
    save("column", "bad_overflow.npy", npy("<f8", b"\0" * 8, "(4611686018427387904, 1)"))


def make_options():
    save("options", "plain.txt", "budget=10%\nstrategy=submod-bal\nlambda=0.7,0.3,1\ngamma=1\nthreads=2\n")
    save("options", "terms.txt", "budget=10%\nterm=uncertainty=1,diversity=0.5,triples=2\nbalance=class\ntau=0.05\nclass-cap=7\n")
    save("options", "graph.txt", "metric=l2\nneighbors=12\nsymmetry=mutual\nknn=approximate\nrecall=0.9\nmemory=4GiB\n")
    save("options", "compare.txt", "strategies=submod-bal,margin,random\nbudget=5,10,20%\nseed=18446744073709551615\n")
    save("options", "paper.txt", "preset=paper\nboundary-cap=proportional\nboundary-slack=2\nshortfall=stop\narea-quantile=0.25\n")
    save("options", "bad.txt", "budget=-1\nlambda=,,\ngamma=nan\nthreads=99999999999999999999\nmemory=1e400T\nstrategy=\n=\n")


def make_config():
    save("config", "plain.toml", 'budget = "10%"\nstrategy = "submod"\nlambda = [0.7, 0.3, 1]\nquiet = true\n')
    save("config", "table.toml", '[select]\nbudget = 500\ngamma = 0.5\nthreads = 2\n')
    save("config", "runs.toml", 'run = ["a=--gamma 1", "b=--gamma 2"]\n')
    save("config", "named.toml", '[run.paper]\npreset = "paper"\n[run.none]\nbalance = "none"\n')
    save("config", "bad_unknown.toml", 'bugdet = 5\n')
    save("config", "bad_type.toml", 'budget = 1979-05-27\n')
    save("config", "bad_nested.toml", 'budget = [[1, 2], {a = 3}]\n')
    save("config", "bad_syntax.toml", 'budget = "10%\n')
    save("config", "empty.toml", "")


def make_rounds():
    one = {"folder": "round-1", "labels": "", "labelled": 0, "selected": 5}
    good = {"settings": {"budget": ["5"], "quiet": []}, "rounds": [one]}
    save("rounds", "one.json", json.dumps(good))
    save("rounds", "two.json", json.dumps({**good, "rounds": [one, {**one, "folder": "round-2", "labels": "l.csv"}]}))
    save("rounds", "bad_type.json", json.dumps({**good, "rounds": [{**one, "selected": -1}]}))
    save("rounds", "bad_path.json", json.dumps({**good, "rounds": [{**one, "folder": "../../etc"}]}))
    save("rounds", "bad_settings.json", json.dumps({**good, "settings": [1]}))
    save("rounds", "bad_syntax.json", '{"rounds": [')
    save("rounds", "empty.json", "")


def make_run_folder():
    """Of a run that was: fuzz/corpus/run_folder/run.bin is what pith select wrote, joined. Here, ways to spoil it."""
    run = ROOT / "run_folder" / "run.bin"
    if not run.exists():
        return
    summary, selection, indices = run.read_bytes().split(b"\n%%\n")
    join = b"\n%%\n".join
    save("run_folder", "bad_no_indices.bin", join([summary, selection]))
    save("run_folder", "bad_summary.bin", join([summary[:-40], selection, indices]))
    save("run_folder", "bad_item.bin", join([summary, selection.replace(b"\n2,", b"\n2,4000000000", 1), indices]))
    save("run_folder", "bad_items.bin", join([summary.replace(b'"items": ', b'"items": -', 1), selection, indices]))
    save("run_folder", "bad_short.bin", join([summary, b"\n".join(selection.split(b"\n")[:3]), indices]))


def make_map_file():
    def many(values, code):
        return struct.pack("<Q", len(values)) + struct.pack(f"<{len(values)}{code}", *values)

    def whole(items, points, layout):
        return (b"PITHMAP1" + struct.pack("<Q", 3) + b"key" + many(items, "I") + struct.pack("<Q", len(points) // 2) +
                struct.pack(f"<{len(points)}f", *points) + struct.pack("<2d", 0.5, 0.25) + struct.pack("<Q", len(layout) // 2) +
                struct.pack(f"<{len(layout)}f", *layout) + many([0] * len(items), "I") + b"\0" * 8)

    good = whole([0, 1, 5], [0, 1, 2, 3, 4, 5], [1, 1, 2, 2, 3, 3])
    save("map_file", "good.pith", good)
    save("map_file", "empty.pith", whole([], [], []))
    save("map_file", "bad_cut.pith", good[:-20])
    save("map_file", "bad_count.pith", good.replace(struct.pack("<Q", 3) + struct.pack("<3I", 0, 1, 5), struct.pack("<Q", 1 << 62) + b"\0" * 12))
    save("map_file", "bad_magic.pith", b"PITHMAP9" + good[8:])


JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4"
    "x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAH"
    "AAkDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhBy"
    "JxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKT"
    "lJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAA"
    "AAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRom"
    "JygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExc"
    "bHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwCvZaKpxwK0v7CX0FFFY0UpxvIMJiqqp7n/2Q==")
PROGRESSIVE_JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8yb"
    "qmx5moq6T/wgALCAAHAAkBAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAgP/2gAIAQEAAAABF//EABcQAQADAAAAAAAAAAAAAAAAAAACAxP/2gAI"
    "AQEAAQUCjWyf/8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQAGPwI//8QAFBABAAAAAAAAAAAAAAAAAAAAEP/aAAgBAQABPyE//9oACAEBAA"
    "AAED//xAAYEAEAAwEAAAAAAAAAAAAAAAABABEhUf/aAAgBAQABPxAWsJThP//Z")


def png(width, height, depth, colour, rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make_image():
    save("image", "colour.jpg", JPEG)
    save("image", "progressive.jpg", PROGRESSIVE_JPEG)
    save("image", "colour.png", png(3, 2, 8, 2, b"\0" + bytes(range(9)) + b"\1" + bytes(range(9))))
    save("image", "grey16.png", png(2, 2, 16, 0, b"\0" + bytes(4) + b"\2" + bytes(4)))
    save("image", "alpha.png", png(2, 1, 8, 6, b"\0" + bytes(range(8))))
    save("image", "idx.gz", gzip.compress(struct.pack(">IIII", 2051, 1, 2, 2) + bytes(4), mtime=0))
    save("image", "bad_cut.jpg", JPEG[:len(JPEG) // 2])
    save("image", "bad_cut.png", png(3, 2, 8, 2, b"\0" + bytes(range(9)))[:-30])
    save("image", "bad_huge.png", png(1 << 30, 1 << 30, 8, 2, b""))
    save("image", "bad_cut.gz", gzip.compress(bytes(100), mtime=0)[:-6])
    save("image", "bad_empty.jpg", b"")


CUT = b"\n%%\n"


def make_dataset():
    def idx(magic, shape, data):
        return struct.pack(f">I{len(shape)}I", magic, *shape) + data

    images, labels = idx(2051, [2, 2, 3], bytes(range(12))), idx(2049, [2], b"\1\0")
    save("dataset", "idx", b"\0" + CUT.join([images, labels, images, labels]))
    packed = [gzip.compress(part, mtime=0) for part in (images, labels, images, labels)]
    save("dataset", "idx_packed", b"\0" + CUT.join(packed))
    save("dataset", "idx_bad_labels", b"\0" + CUT.join([images, idx(2049, [3], b"\1\0\2"), images, labels]))
    save("dataset", "idx_bad_huge", b"\0" + CUT.join([idx(2051, [0xffffffff, 0xffffffff, 1 << 24], b""), labels, images, labels]))
    wraps = [2, 2147549185, 4294836226]  # 2^64 + 4 bytes
    save("dataset", "idx_bad_wraps", b"\0" + CUT.join([idx(2051, wraps, bytes(4)), labels, images, labels]))
    save("dataset", "idx_bad_test_class", b"\0" + CUT.join([images, labels, images, idx(2049, [2], b"\1\7")]))
    record = b"\3\7" + bytes(3072)
    save("dataset", "cifar100", b"\1" + CUT.join([record * 2, record]))
    save("dataset", "cifar100_bad_class", b"\1" + CUT.join([b"\3\xff" + bytes(3072), record]))
    save("dataset", "cifar100_bad_cut", b"\1" + CUT.join([record[:-1], record]))
    vectors, classes = npy("<f4", floats("<f4")), npy("<i8", struct.pack("<2q", 1, 0), "(2,)")
    save("dataset", "arrays", b"\2" + CUT.join([vectors, classes, vectors, classes]))
    pixels = npy("|u1", bytes(range(8)), "(2, 2, 2)")
    save("dataset", "arrays_images", b"\2" + CUT.join([pixels, classes, pixels, classes]))
    save("dataset", "arrays_bad_class", b"\2" + CUT.join([vectors, npy("<i8", struct.pack("<2q", -1, 0), "(2,)"), vectors, classes]))
    save("dataset", "arrays_bad_width", b"\2" + CUT.join(
        [vectors, classes, npy("<f4", floats("<f4"), "(3, 2)"), npy("<i8", struct.pack("<3q", 1, 0, 1), "(3,)")]))


def make_checkpoint():
    def many(code, values):
        return struct.pack(f"<Q{len(values)}{code}", len(values), *values)

    near = struct.pack("<dI4x", 0.5, 1)
    met = struct.pack("<IQQQQQQ", 3, 1, 0, 2, 1, 0, 2) + many("I", [1, 1]) + struct.pack("<Q", 6) + near * 6
    save("checkpoint", "met", b"\0\1" + met)
    save("checkpoint", "met_bad_counts", b"\0\1" + struct.pack("<IQQQQ", 3, 1, 0, 9, 0) + many("I", [1]) + struct.pack("<Q", 0))
    save("checkpoint", "met_bad_backwards", b"\0\1" + struct.pack("<IQQQQ", 3, 1, 9, 0, 0) + many("I", []) + struct.pack("<Q", 0))
    info = struct.pack("<IBBQBdBdd", 3, 0, 0, 16, 1, 1.0, 0, 0.0, 0.0) + many("B", b"exact") + many("B", b"") + many("B", b"")
    rows = many("Q", [0, 1, 2]) + many("I", [1, 0]) + many("f", [0.5, 0.5])
    save("checkpoint", "rows", b"\1\1" + info + rows)
    save("checkpoint", "rows_bad_few", b"\1\7" + info + rows)
    save("checkpoint", "rows_bad_offsets", b"\1\1" + info + many("Q", [0, 9, 2]) + many("I", [1, 0]) + many("f", [0.5, 0.5]))
    save("checkpoint", "rows_bad_beyond", b"\1\1" + info + struct.pack("<Q", 1 << 62))
    picks = struct.pack("<QQIdId", 0, 2, 5, 1.5, 3, 1.25)
    save("checkpoint", "picks", b"\2\0" + picks)
    save("checkpoint", "picks_bad_cut", b"\2\0" + picks[:-3])


def make_results():
    def cell(trial, variant, accuracy, **more):
        return json.dumps({"trial": trial, "budget": "10%", "variant": variant, "options": f"--strategy {variant}", "items": 50,
                           "accuracy": accuracy, "loss": 1.5, "training_loss": 0.5, "steps": 12, "select_seconds": 0.1,
                           "train_seconds": 2.5, "classes_covered": 5, "boundaries_covered": 3, "mean_uncertainty": 0.25} | more) + "\n"

    good = "".join(cell(trial, variant, 0.5 + 0.01 * trial + 0.02 * at)
                   for trial in range(3) for at, variant in enumerate(("random", "stratified", "margin")))
    save("results", "good.jsonl", good)
    save("results", "all_data.jsonl", good + cell(0, "all data", 0.9, budget="100%") + cell(1, "all data", 0.8, budget="100%"))
    save("results", "cut_short.jsonl", good + '{"trial": 3, "bud')
    save("results", "one.jsonl", cell(0, "random", 0.5))
    save("results", "diverged.jsonl", cell(0, "margin", 0.1, training_loss=None))
    save("results", "bad_accuracy.jsonl", cell(0, "random", "high"))
    save("results", "huge.jsonl", cell(18446744073709551615, "random", 1e308))
    save("results", "bad_steps.jsonl", cell(0, "random", 0.5, steps=1e30))
    save("results", "bad_items.jsonl", cell(0, "random", 0.5, items=-1.5))
    save("results", "bad_empty.jsonl", "")


def make_model_file():
    def model(arrays, data, **metadata):
        header = {"__metadata__": {"format": "pith-model-1", "model": json.dumps(
            {"name": "softmax", "height": 1, "width": 1, "channels": 2, "classes": 2, "mean": [0.0], "deviation": [1.0]}),
            "training": "{}", "checksum": "0" * 16} | metadata} | arrays
        text = json.dumps(header, separators=(",", ":")).encode()
        return struct.pack("<Q", len(text)) + text + data

    weights = {"weights/w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}
    save("model_file", "good.safetensors", model(weights, bytes(16)))
    save("model_file", "numbers.safetensors", model({"buffers/n": {"dtype": "I64", "shape": [], "data_offsets": [0, 8]}}, bytes(8)))
    save("model_file", "bad_shape.safetensors", model({"w": {"dtype": "F32", "shape": [-1, 2], "data_offsets": [0, 16]}}, bytes(16)))
    save("model_file", "bad_overflow.safetensors", model({"w": {"dtype": "F32", "shape": [1 << 62, 4], "data_offsets": [0, 16]}}, bytes(16)))
    save("model_file", "bad_fraction.safetensors", model({"w": {"dtype": "F32", "shape": [1e30], "data_offsets": [0, 16]}}, bytes(16)))
    save("model_file", "bad_beyond.safetensors", model({"w": {"dtype": "F32", "shape": [8], "data_offsets": [0, 32]}}, bytes(16)))
    save("model_file", "bad_format.safetensors", model(weights, bytes(16), format="other"))
    save("model_file", "bad_model.safetensors", model(weights, bytes(16), model="[]"))
    save("model_file", "bad_cut.safetensors", model(weights, bytes(16))[:-5])
    save("model_file", "bad_empty.safetensors", b"")


def make_twins():
    for seed in range(24):
        rng = random.Random(seed)
        length = rng.randrange(8, 300)
        few = rng.choice([2, 3, 9, 256])
        save("twins", f"seed_{seed}.bin", bytes([rng.randrange(256) for _ in range(3)] + [rng.randrange(few) for _ in range(length)]))


if __name__ == "__main__":
    make_npy()
    make_npz()
    make_safetensors()
    make_csv()
    make_fvecs()
    make_manifest()
    make_item_list()
    make_column()
    make_options()
    make_config()
    make_rounds()
    make_run_folder()
    make_map_file()
    make_image()
    make_dataset()
    make_checkpoint()
    make_results()
    make_model_file()
    make_twins()
