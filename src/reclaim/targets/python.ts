/**
 * Python: environments, package managers, build back ends and documentation builders.
 *
 * @module
 */
import type { Target } from "../target.ts";

/** Kinds of the Python tool chain beyond the common 24. */
export const pythonTargets: readonly Target[] = [
  {
    // No plainer names: `pyvenv.cfg` also stands in projects that were started inside their own environment.
    key: "python-env",
    ecosystem: "python",
    matches: ["virtualenv", ".virtualenv", ".venv-*", "venv-*"],
    marker: { inside: ["pyvenv.cfg"] },
    unless: ["*.py", "*.ipynb"],
    regenerateWith: "python -m venv",
    documentation: "https://docs.python.org/3/library/venv.html",
  },
  {
    key: "pipenv",
    ecosystem: "python",
    matches: [".venv"],
    marker: { beside: ["Pipfile.lock", "Pipfile"] },
    regenerateWith: "pipenv install",
    documentation: "https://pipenv.pypa.io/en/latest/virtualenv.html",
  },
  {
    key: "pdm",
    ecosystem: "python",
    matches: ["__pypackages__", ".pdm-build"],
    marker: { beside: ["pyproject.toml"] },
    regenerateWith: "pdm install",
    documentation: "https://pdm-project.org/latest/usage/pep582/",
  },
  {
    key: "hatch",
    ecosystem: "python",
    matches: [".hatch"],
    marker: { beside: ["pyproject.toml", "hatch.toml"] },
    regenerateWith: "hatch env create",
    documentation: "https://hatch.pypa.io/latest/config/hatch/#directories",
  },
  {
    key: "pixi",
    ecosystem: "python",
    matches: [".pixi/envs", ".pixi/solve-group-envs", ".pixi/build"],
    marker: { beside: ["pixi.toml", "pyproject.toml", "mojoproject.toml"] },
    regenerateWith: "pixi install",
    documentation: "https://pixi.sh/latest/workspace/environment/",
  },
  {
    key: "python-eggs",
    ecosystem: "python",
    matches: [".eggs"],
    marker: { beside: ["setup.py", "setup.cfg"] },
    regenerateWith: "next setup.py run",
    documentation: "https://setuptools.pypa.io/en/latest/deprecated/easy_install.html",
  },
  {
    key: "wheel-metadata",
    ecosystem: "python",
    matches: ["pip-wheel-metadata"],
    marker: null,
    regenerateWith: "pip install",
    documentation: "https://pip.pypa.io/en/stable/news/",
  },
  {
    key: "hypothesis",
    ecosystem: "python",
    matches: [".hypothesis"],
    marker: null,
    regenerateWith: "next hypothesis run",
    documentation: "https://hypothesis.readthedocs.io/en/latest/",
  },
  {
    key: "jupyter-cache",
    ecosystem: "python",
    matches: [".jupyter_cache", ".virtual_documents"],
    marker: null,
    regenerateWith: "next notebook build",
    documentation: "https://jupyter-cache.readthedocs.io/en/latest/",
  },
  {
    key: "sphinx-build",
    ecosystem: "python",
    matches: ["_build", "build"],
    marker: { inside: ["doctrees/environment.pickle", ".doctrees/environment.pickle"] },
    regenerateWith: "make html",
    documentation: "https://www.sphinx-doc.org/en/master/man/sphinx-build.html",
  },
  {
    key: "mkdocs-site",
    ecosystem: "python",
    matches: ["site"],
    marker: { inside: ["search/search_index.json"] },
    regenerateWith: "mkdocs build",
    documentation: "https://www.mkdocs.org/user-guide/configuration/#site_dir",
  },
  {
    key: "pyinstaller-build",
    ecosystem: "python",
    matches: ["build"],
    marker: { inside: ["*/Analysis-00.toc"] },
    regenerateWith: "pyinstaller",
    documentation: "https://pyinstaller.org/en/stable/usage.html",
  },
];
