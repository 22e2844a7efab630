"""Adds to an SBOM what the native libraries are made of, which Maven does not know: the Python
packages of headers and libraries that CMake has fetched, or the CUDA toolkit that it has found.

usage: native.py SBOM.json CMAKE_BUILD_FOLDER
"""

import json
import pathlib
import sys

RUNTIME = "nvidia-cuda-runtime"


def fetched(build):
    """The packages in the folder of PipPackage.cmake, as name and version."""
    folders = sorted(done.parent.name for done in (build / "pip").glob("*/.done"))
    return [tuple(folder.rsplit("-", 1)) for folder in folders]


def component(name, version):
    purl = f"pkg:pypi/{name}@{version}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def main(sbom, build):
    bom = json.loads(sbom.read_text())
    parts = [component(name, version) for name, version in fetched(build)]
    if not any(part["name"] == RUNTIME for part in parts):
        toolkit = {"type": "library", "bom-ref": "cuda-toolkit", "name": "cuda-toolkit"}
        parts.append(toolkit | {"description": "the CUDA runtime of the build machine, static"})
    bom["components"] = bom.get("components", []) + parts
    refs = [part["bom-ref"] for part in parts]
    root = bom["metadata"]["component"]["bom-ref"]
    edges = bom.setdefault("dependencies", [])
    for edge in edges:
        if edge["ref"] == root:
            edge["dependsOn"] = edge.get("dependsOn", []) + refs
    edges.extend({"ref": ref, "dependsOn": []} for ref in refs)
    sbom.write_text(json.dumps(bom, indent=2) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
