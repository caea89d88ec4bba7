"""The MkDocs plugin `rulewright`: checks the book while MkDocs builds its site."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment
from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from .book.resolver import on_disk
from .compile.aliases import FILE as ALIASES
from .compile.book import Compiled, compile_book, same_address
from .compile.games import shown
from .compile.options import read_options, root_of
from .compile.watch import Watching, watched
from .project import FILE
from .render.content_policy import Use, headers, hosts, uses, with_policy
from .render.context import Desk
from .render.downloads import FOR_DISK, REGISTERS, Beside
from .render.export import Edition, NotMade
from .render.host_pages import with_header
from .render.python_markdown import unread
from .render.reference import FOLDER, with_pages
from .render.reports import text
from .render.scripts import delivered
from .render.theme import SHIM, is_for_disk, loads_pages, make_for_disk, overrides, repaired, settle, spare
from .root import EVERYWHERE, Root, circle, real_path
from .source import Problem

NAME = "rulewright"
STYLES = ("assets/rulewright.css", "assets/reading.css")
SCRIPT = "assets/reading.js"
POLICY = "_headers"
WEB = Path(__file__).parent / "web"
log = get_plugin_logger(NAME)


class Settings(Config):  # type: ignore[no-untyped-call]
    """Empty: `read_options` reads the options with their positions, together with those of pyproject.toml."""


class RulewrightPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """State of one `mkdocs` run, and the hooks in the order in which MkDocs calls them."""

    desk: Desk  # set in on_files

    def __init__(self) -> None:
        self.kind = "build"  # or "serve", or "folder": a site that is only opened from a disk
        self.beside = Beside()
        self.keeps = False  # does the site work offline after the first visit?
        self.watching: Watching | None = None
        self.files = Files([])
        self.root: Root = EVERYWHERE  # what may be read and published
        self.problems: list[Problem] = []
        self.uses: set[Use] = set()

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Accept any options: MkDocs would report ours as unknown."""
        del options, config_file_path
        self.config = Settings()
        return [], []

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], **_: Any) -> None:
        """Because this hook exists, MkDocs keeps one plugin instance for all builds of `mkdocs serve`."""
        self.kind = "folder" if FOR_DISK in os.environ else "serve" if command == "serve" else "build"
        self.beside = Beside()

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Register the Markdown extension, styles and scripts, before other plugins read the configuration."""
        names: list[Any] = config.markdown_extensions
        names[:] = [*(name for name in names if name != NAME), NAME]
        config.mdx_configs[NAME] = {"desk": lambda: vars(self).get("desk")}
        config.extra_javascript.append(SCRIPT)
        config.extra_css[:0] = STYLES  # before the styles of the site, which may override ours
        site = Path(config.config_file_path) if config.config_file_path else None
        self.root = root_of(Path(config.docs_dir), Path.cwd(), site)
        if config.theme.custom_dir:
            self.root = self.root.including(Path(config.theme.custom_dir))
        config.watch += [str(file) for file in dict.fromkeys(watched(Path(config.docs_dir), self.root))]
        options = read_options(Path(config.docs_dir), Path.cwd())
        if self.kind == "folder":
            make_for_disk(config)
        settle(config, options.language.partition("-")[0])
        self.keeps = options.offline and self.kind == "build"
        config.extra_javascript += [REGISTERS] * self.keeps
        return config

    def remove_outside(self, files: Files, config: MkDocsConfig) -> dict[Path, None]:
        """Remove files behind links that leave the project, circular links and pipes; return the refused links.

        MkDocs follows every link and blocks on pipes.
        """
        folders = [str(folder) for folder in (config.docs_dir, config.theme.custom_dir) if folder]
        links, circles = dict[Path, None](), dict[Path, None]()
        for file in [file for file in files if file.abs_src_path and file.src_dir in folders]:
            path = Path(str(file.abs_src_path))
            if self.root.refusal(path):
                files.remove(file)
                links[self.root.link_out(path) or path] = None
            elif link := circle(path):
                files.remove(file)
                circles[link] = None
        for link in circles:
            log.info(f"{shown(link, Path.cwd())} leads back to a folder above it, whose files are published once")
        return links

    @event_priority(-100)
    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Compile the book after all other plugins have added their files."""
        links = self.remove_outside(files, config)
        for file in [file for file in files if Path(file.src_uri).name == FILE or file.src_uri == ALIASES]:
            files.remove(file)
        for path in (*STYLES, SCRIPT, *[SHIM] * is_for_disk(config), *[REGISTERS] * self.keeps):
            files.append(File.generated(config, path, content=delivered(WEB / Path(path).name)))
        self.files, self.uses = files, set()
        compiled = self.compile(config)
        self.desk = Desk(
            compiled,
            Path.cwd(),
            self.way,
            self.is_there,
            self.kind == "serve",
            self.overrides(config),
            loads_pages(config),
        )
        sources = {path: one.page.source for path, one in self.desk.pages.items()}
        self.problems = same_address(((f.src_uri, f.dest_uri) for f in files.documentation_pages()), sources)
        self.problems += self.refused(links)
        self.add_reference(config)
        spare(config, len(files.documentation_pages()))
        return files

    def refused(self, links: Iterable[Path]) -> list[Problem]:
        """Problems about the removed files that the compiled book has not reported yet."""
        found = [self.root.problem_at(link, shown(link, Path.cwd())) for link in links]
        known = {problem.span for problem in self.desk.compiled.refused}
        problems = [problem for problem in found if problem and problem.span not in known]
        return self.desk.compiled.options.of(problems)

    def add_reference(self, config: MkDocsConfig) -> None:
        """Add the generated reference pages; a page that the author wrote at the same path wins."""
        made = self.desk.reference()
        paths = [path for path in made if not self.files.get_file_from_path(path)]
        for path in paths:
            self.files.append(File.generated(config, path, content=made[path]))
        if config.nav is not None:
            config.nav = with_pages(config.nav, self.desk.words("reference"), paths)

    def on_nav(self, nav: Navigation, /, **_: Any) -> Navigation:
        """Translate the section title of the reference pages; without `nav`, MkDocs uses the folder name."""
        for section in (item for item in nav.items if isinstance(item, Section)):
            pages = [child.file for child in section.children if isinstance(child, Page)]
            if any(file.generated_by == NAME and file.src_uri.startswith(f"{FOLDER}/") for file in pages):
                section.title = self.desk.words("reference")
        return nav

    @event_priority(-100)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, **_: Any) -> Environment:
        """Add the roller scripts once all pages, and so all games declared in pages, are known."""
        for name, content in self.desk.rolling.scripts().items():
            self.files.append(File.generated(config, f"assets/{name}.js", content=content))
        return env

    def compile(self, config: MkDocsConfig) -> Compiled:
        """Compile the whole book, or with `mkdocs serve` only what has changed since the last build."""
        places, here = [Path(config.docs_dir)], Path.cwd()
        site = Path(config.config_file_path) if config.config_file_path else None
        if self.kind != "serve":
            return compile_book(places, here, exists=self.is_there, site=site)
        if self.watching is None or self.watching.places != places:
            self.watching = Watching(places, here, self.is_there, site)
        self.watching.update()
        return self.watching.compiled

    def overrides(self, config: MkDocsConfig) -> Path | None:
        """The theme's `custom_dir`, unless a link in it leaves the project."""
        folder = overrides(config)
        return folder if folder and self.root.is_closed(folder) else None

    def is_there(self, path: str) -> bool:
        """Is there such a file, on the disk or generated by another plugin?"""
        if on_disk(path):
            return True
        name = real_path(Path(path))
        return any(file.abs_src_path is None and name.match(f"*/{file.src_uri}") for file in self.files)

    def way(self, page: str, path: str) -> str | None:
        """The URL of a file relative to a page; None if the site lacks either."""
        one, other = self.files.get_file_from_path(page), self.files.get_file_from_path(path)
        return get_relative_url(other.url, one.url) if one and other else None

    @event_priority(100)
    def on_page_markdown(self, markdown: str, /, *, page: Page, **_: Any) -> str | None:
        """Restore a first line such as `Note: …`, which MkDocs takes for metadata and removes."""
        whole = with_header(page.file.content_string, markdown, page.meta)
        if whole is not None:
            page.meta = {}
        return whole

    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """Report the ids of blocks and terms as anchors, for the link validation of MkDocs."""
        if page.present_anchor_ids is not None:
            page.present_anchor_ids |= self.desk.ids(page.file.src_uri)
        return html

    @event_priority(-100)
    def on_page_context(self, context: Any, /, *, page: Page, **_: Any) -> Any:
        """Add the data for the dice after the search plugin has indexed the text of the page."""
        page.content = self.desk.with_dice(
            page.file.src_uri, page.content or "", lambda name: get_relative_url(f"assets/{name}.js", page.url)
        )
        return context

    @event_priority(-100)
    def on_post_page(self, output: str, /, *, page: Page, **_: Any) -> str:
        """Check that every block is still on the page after all other plugins, and finish the page."""
        self.problems += self.desk.differences(page.file.src_uri, output)
        return self.settled(output)

    @event_priority(-100)
    def on_post_template(self, output_content: str, /, *, template_name: str, **_: Any) -> str:
        """Finish pages without a source, such as 404.html."""
        return self.settled(output_content) if template_name.endswith(".html") else output_content

    def settled(self, html: str) -> str:
        """Repair the accessibility of a finished page and insert its content security policy."""
        html = repaired(html, self.desk.words)
        found = set(uses(html))
        self.uses |= found
        return with_policy(html, found)

    @event_priority(-200)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the downloads and report all problems once; errors fail the build even without `strict`."""
        if self.kind != "serve" and not self.files.get_file_from_path(POLICY):
            Path(config.site_dir, POLICY).write_text(headers(self.uses), encoding="utf-8")
        if others := hosts(self.uses):
            log.info(f"readers of this site also fetch something from {', '.join(others)}")
        if self.desk.bypassed:
            log.warning(unread(sorted(self.desk.bypassed)))
        problems = [*self.desk.problems, *self.problems]
        options = self.desk.compiled.options
        if self.kind != "folder" and not options.failing(problems):
            problems += options.of(self.complete(config))
        levels = {"error": log.error, "warning": log.warning}
        for problem in problems:
            levels.get(problem.severity, log.info)(text([problem]))
        wrong = [problem for problem in problems if options.failing([problem])]
        if wrong and self.kind != "serve":
            raise PluginError(f"{len(wrong)} {'problem' if len(wrong) == 1 else 'problems'} in the book, see above")

    def complete(self, config: MkDocsConfig) -> list[Problem]:
        """Write the downloads and the service worker; only called if the book has no errors."""
        edition = Edition(self.desk.compiled, Path.cwd())
        try:
            return self.beside.put(Path(config.site_dir), edition, is_for_disk(config), self.keeps)
        except NotMade as error:
            raise PluginError(str(error)) from error
