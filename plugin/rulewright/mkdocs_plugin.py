"""The MkDocs plugin `rulewright`: checks the book while MkDocs builds its site."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment
from mkdocs.config.base import Config, ConfigErrors, ConfigWarnings
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from .book.disk import is_file_on_disk
from .compile.book import CompiledBook, compile_book
from .compile.games import display_path
from .compile.options import Options, read_options, root_of
from .compile.watch import BookWatcher, files_to_watch
from .render.assets import ASSETS_FOLDER
from .render.content_policy import (
    PolicySource,
    external_hosts,
    find_sources,
    find_style_sources,
    headers_text,
    insert_policy,
)
from .render.context import BuildContext
from .render.downloads import FOR_DISK, OFFLINE_SCRIPT, Downloads, write_disk_index
from .render.export import BookExport, ExportError, write_atomically
from .render.finished_page import HtmlTag, read_tags
from .render.python_markdown import find_unknown_extensions
from .render.reference import REFERENCE_FOLDER, extend_nav
from .render.reports import format_problems
from .render.scripts import read_asset
from .render.theme import SHIM, is_for_disk, prepare_for_disk
from .root import UNRESTRICTED, Root, find_circular_link, real_path
from .source import Problem

NAME = "rulewright"
HEADERS_FILE = "_headers"
WEB = Path(__file__).parent / "web"
log = get_plugin_logger(NAME)


class Settings(Config):  # type: ignore[no-untyped-call]
    """Empty: `read_options` reads the options with their positions, together with those of pyproject.toml."""


class RulewrightPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """State of one `mkdocs` run, and the hooks in the order in which MkDocs calls them."""

    context: BuildContext  # set in on_files

    def __init__(self) -> None:
        self.kind = "build"  # or "serve", or "folder": a site that is only opened from a disk
        self.downloads = Downloads()
        self.options = Options()
        self.given_options = ""  # options that the settings do not have, as YAML
        self.works_offline = False  # does the site work offline after the first visit?
        self.watcher: BookWatcher | None = None
        self.files = Files([])
        self.root: Root = UNRESTRICTED  # what may be read and published
        self.problems: list[Problem] = []
        self.policy_sources: set[PolicySource] = set()

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
        self.downloads = Downloads()

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Register the Markdown extension, before other plugins read the configuration."""
        names: list[Any] = config.markdown_extensions
        names[:] = [*(name for name in names if name != NAME), NAME]
        config.mdx_configs[NAME] = {"context": lambda: vars(self).get("context")}
        site = Path(config.config_file_path) if config.config_file_path else None
        self.root = root_of(Path(config.docs_dir), Path.cwd(), site)
        if config.theme.custom_dir:
            self.root = self.root.including(Path(config.theme.custom_dir))
        config.watch += [str(file) for file in dict.fromkeys(files_to_watch(Path(config.docs_dir), self.root))]
        self.options = read_options(Path(config.docs_dir), Path.cwd(), site, self.given_options)
        if self.kind == "folder":
            prepare_for_disk(config)
        if self.searches_from_disk(config):
            config.extra["polyfills"] = [*config.extra.get("polyfills", []), SHIM]
        self.works_offline = self.options.offline and self.kind == "build"
        config.extra_javascript += [OFFLINE_SCRIPT] * self.works_offline
        return config

    def searches_from_disk(self, config: MkDocsConfig) -> bool:
        """Should the search also work when the site is opened from a disk?"""
        return self.kind == "folder" or (is_for_disk(config) and self.options.offline)

    def remove_outside(self, files: Files, config: MkDocsConfig) -> dict[Path, None]:
        """Remove files behind links that leave the project, circular links and pipes; return the refused links.

        MkDocs follows every link and blocks on pipes.
        """
        folders = [str(folder) for folder in (config.docs_dir, config.theme.custom_dir) if folder]
        links, circles = dict[Path, None](), dict[Path, None]()
        for file in [file for file in files if file.abs_src_path and file.src_dir in folders]:
            path = Path(str(file.abs_src_path))
            if self.root.find_refusal(path):
                files.remove(file)
                links[self.root.find_outside_link(path) or path] = None
            elif link := find_circular_link(path):
                files.remove(file)
                circles[link] = None
        for link in circles:
            log.info(
                f"{display_path(link, Path.cwd())} leads back to a folder above it, whose files are published once"
            )
        return links

    @event_priority(-100)
    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Compile the book after all other plugins have added their files."""
        links = self.remove_outside(files, config)
        for path in (*[SHIM] * self.searches_from_disk(config), *[OFFLINE_SCRIPT] * self.works_offline):
            files.append(File.generated(config, path, content=read_asset(WEB / "site" / Path(path).name).encode()))
        self.files, self.policy_sources = files, set()
        compiled = self.compile_pages(config)
        self.context = BuildContext(compiled, Path.cwd(), self.relative_url, self.file_exists, self.kind == "serve")
        self.context.reads_all_fences = "pymdownx.superfences" in config.markdown_extensions
        self.context.unknown_extensions = find_unknown_extensions(config.markdown_extensions)
        self.context.left_out = self.pages_left_out()
        self.problems = self.refused_problems(links)
        if self.options.reference or self.options.since or self.options.coverage:
            self.add_reference(config)
        return files

    def pages_left_out(self) -> set[str]:
        """The pages of the book that are not in the site, because the settings or another plugin exclude them."""
        lowest = InclusionLevel.DRAFT if self.kind == "serve" else InclusionLevel.NOT_IN_NAV
        published = [file for file in self.files if file.inclusion.value >= lowest.value]
        names = {file.src_uri for file in published}
        pages = {name: page for name, page in self.context.pages.items() if name not in names}
        # A plugin for translations may have renamed files; their places on the disk stay.
        places = {real_path(Path(file.abs_src_path)) for file in published if pages and file.abs_src_path}
        return {name for name, page in pages.items() if real_path(page.file) not in places}

    def refused_problems(self, links: Iterable[Path]) -> list[Problem]:
        """Problems about the removed files that the compiled book has not reported yet."""
        refusals = [self.root.find_problem(link, display_path(link, Path.cwd())) for link in links]
        known = {problem.span for problem in self.context.compiled.refused}
        problems = [problem for problem in refusals if problem and problem.span not in known]
        return self.context.compiled.options.enabled_problems(problems)

    def add_reference(self, config: MkDocsConfig) -> None:
        """Add the generated reference pages; a page that the author wrote at the same path wins."""
        reference_pages = self.context.build_reference()
        paths = [path for path in reference_pages if not self.files.get_file_from_path(path)]
        self.context.touched.update(paths)  # they have styles of ours
        for path in paths:
            self.files.append(File.generated(config, path, content=reference_pages[path]))
        if config.nav is not None:
            config.nav = extend_nav(config.nav, self.context.words("reference"), paths)

    def on_nav(self, nav: Navigation, /, **_: Any) -> Navigation:
        """Translate the section title of the reference pages; without `nav`, MkDocs uses the folder name."""
        for section in (item for item in nav.items if isinstance(item, Section)):
            pages = [child.file for child in section.children if isinstance(child, Page)]
            if any(file.generated_by == NAME and file.src_uri.startswith(f"{REFERENCE_FOLDER}/") for file in pages):
                section.title = self.context.words("reference")
        return nav

    @event_priority(-100)
    def on_env(self, env: Environment, /, *, config: MkDocsConfig, **_: Any) -> Environment:
        """Add styles and rollers once all pages are rendered: it is known then whether a page needs them."""
        if self.context.touched or self.options.dice:
            for name, content in self.context.asset_files().items():
                file = File.generated(config, f"{ASSETS_FOLDER}/{name}", content=content)
                if exported := self.files.get_file_from_path(file.src_uri):  # for other programs
                    self.files.remove(exported)
                self.files.append(file)
        return env

    def compile_pages(self, config: MkDocsConfig) -> CompiledBook:
        """Compile the whole book, or with `mkdocs serve` only what has changed since the last build."""
        places, here = [Path(config.docs_dir)], Path.cwd()
        site = Path(config.config_file_path) if config.config_file_path else None
        if self.kind != "serve":
            return compile_book(places, here, exists=self.file_exists, site=site, is_build=True, options=self.options)
        if self.watcher is None or self.watcher.places != places:
            self.watcher = BookWatcher(places, here, self.file_exists, site, is_build=True)
        self.watcher.update()
        return self.watcher.compiled

    def file_exists(self, path: str) -> bool:
        """Is there such a file, on the disk or generated by another plugin?"""
        if is_file_on_disk(path):
            return True
        name = real_path(Path(path))
        return any(file.abs_src_path is None and name.match(f"*/{file.src_uri}") for file in self.files)

    def relative_url(self, page: str, path: str) -> str | None:
        """The URL of a file relative to a page; None if the site lacks either."""
        page_file, other = self.files.get_file_from_path(page), self.files.get_file_from_path(path)
        return get_relative_url(other.url, page_file.url) if page_file and other else None

    @event_priority(-100)
    def on_page_markdown(self, markdown: str, /, *, page: Page, **_: Any) -> str:
        """Tell the Markdown extension which page is rendered next."""
        self.context.current_path = page.file.src_uri
        return markdown

    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """Report the ids of blocks and terms as anchors, for the link validation of MkDocs."""
        if page.present_anchor_ids is not None:
            page.present_anchor_ids |= self.context.find_anchors(page.file.src_uri)
        return html

    @event_priority(100)
    def _before_search(self, context: Any, /, *, page: Page, **_: Any) -> Any:
        """Cards are not searched; a search plugin that had to parse them would take a third of the build."""
        page.content = self.context.hold_cards(page.file.src_uri, page.content or "")
        return context

    @event_priority(-100)
    def _after_search(self, context: Any, /, *, page: Page, **_: Any) -> Any:
        """Put the cards back, and add our styles and scripts."""
        path = page.file.src_uri
        content = self.context.release_cards(path, page.content or "")
        page.content = self.context.add_assets(
            path, content, lambda name: get_relative_url(f"{ASSETS_FOLDER}/{name}", page.url)
        )
        return context

    on_page_context = CombinedEvent(_before_search, _after_search)

    @event_priority(-100)
    def on_post_page(self, output: str, /, *, page: Page, **_: Any) -> str:
        """Check that every block is still on the page after all other plugins, and add the policy."""
        path = page.file.src_uri
        if self.context.has_all_cards(path, output) and not self.options.policy:
            return output
        tags = read_tags(output)
        self.problems += self.context.find_missing_blocks(path, tags)
        return self.add_policy(output, tags)

    @event_priority(-100)
    def on_post_template(self, output_content: str, /, *, template_name: str, **_: Any) -> str:
        """Add the policy to pages without a source, such as 404.html."""
        is_page = self.options.policy and template_name.endswith(".html")
        return self.add_policy(output_content, read_tags(output_content)) if is_page else output_content

    def add_policy(self, html: str, tags: Sequence[HtmlTag]) -> str:
        """Insert the content security policy of a finished page, if the site has one."""
        if not self.options.policy:
            return html
        page_sources = set(find_sources(tags))
        self.policy_sources |= page_sources
        return insert_policy(html, page_sources)

    @event_priority(-200)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write the downloads and report all problems once; errors fail the build even without `strict`."""
        for message in self.context.host_messages():
            log.info(message)
        if self.kind == "folder":
            write_disk_index(Path(config.site_dir))
        problems = [*self.context.problems, *self.problems]
        options = self.context.compiled.options
        if self.kind != "folder" and not options.has_failure(problems):
            problems += options.enabled_problems(self.write_extras(config))
        if options.policy:
            self.write_policy(config)
        levels = {"error": log.error, "warning": log.warning}
        for problem in problems:
            levels.get(problem.severity, log.info)(format_problems([problem]))
        wrong = [problem for problem in problems if options.has_failure([problem])]
        if wrong and self.kind != "serve":
            raise PluginError(f"{len(wrong)} {'problem' if len(wrong) == 1 else 'problems'} in the book, see above")

    def write_policy(self, config: MkDocsConfig) -> None:
        """Write the policy of the finished pages, of their styles, and of the book in one file with its scripts."""
        book = (self.downloads.files or {}).get("html", b"")
        self.policy_sources |= set(find_sources(read_tags(book.decode("utf-8"))))
        for styles in Path(config.site_dir).rglob("*.css"):
            self.policy_sources |= set(find_style_sources(styles.read_text(encoding="utf-8", errors="replace")))
        if self.kind != "serve" and not self.files.get_file_from_path(HEADERS_FILE):
            write_atomically(Path(config.site_dir, HEADERS_FILE), headers_text(self.policy_sources).encode())
        if others := external_hosts(self.policy_sources):
            log.info(f"readers of this site also fetch something from {', '.join(others)}")

    def write_extras(self, config: MkDocsConfig) -> list[Problem]:
        """Write the downloads and the service worker; only called if the book has no errors."""
        site, export = Path(config.site_dir), BookExport(self.context.compiled, Path.cwd())
        try:
            return self.downloads.write(site, export, self.searches_from_disk(config), self.works_offline)
        except ExportError as error:
            raise PluginError(str(error)) from error
