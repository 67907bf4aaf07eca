"""What joining does to scripts and style sheets, and what it refuses. Joined scripts run in tests/browser."""

import pytest

from config.joining import JoinError, join_script, join_style


def script(**files: str) -> str:
    return join_script(
        "pages/page.js", {f"{name.replace('_', '/')}.js": text for name, text in files.items()}.__getitem__
    )


def test_a_script_is_joined_with_what_it_imports_in_the_order_of_a_browser():
    joined = script(
        pages_page='import { start } from "../start.js";\nimport { words as each } from "../words.js";\nstart(each);\n',
        start='import "./first.js";\nimport { fill, words } from "./words.js";\n\nexport function start(text) {\n}\n',
        words="export const words = {};\nconst hidden = 1;\nexport const fill = 2;\nexport class Word {}\n",
        first="document.title = 1;\n",
    )
    assert (
        joined
        == """\
const module0 = (() => {
document.title = 1;
})(); // first.js
const module1 = (() => {
const words = {};
const hidden = 1;
const fill = 2;
class Word {}
return { words, fill, Word };
})(); // words.js
const module2 = (() => {

const { fill, words } = module1;

function start(text) {
}
return { start };
})(); // start.js
const module3 = (() => {
const { start } = module2;
const { words: each } = module1;
start(each);
})(); // pages/page.js
"""
    )


def test_a_script_without_imports_stays_as_it_is():
    text = "// Nothing to join.\nexport const cookie = 1;\nexport async function bake() {}\n"
    assert script(pages_page=text) == text


@pytest.mark.parametrize(
    "line",
    [
        'import words from "./words.js";',
        'import * as words from "./words.js";',
        "import { words } from './words.js';",
        'import { words } from "words";',
        'import {\n  words,\n} from "./words.js";',
        'import { words } from "./words.js"; words();',
        'const late = () => import("./words.js");',
        "const here = import.meta.url;",
        "export default 1;",
        "export let changing = 1;",
        "export const { a, b } = {};",
        "export function* each() {}",
        "export { late };",
        'export { words } from "./words.js";',
        "await fetch(1);",
        "  export const late = 1;",
    ],
)
@pytest.mark.parametrize("place", ["pages_page", "other"])
def test_what_is_not_understood_is_refused(line, place):
    files = {"pages_page": 'import { other } from "../other.js";\n', "other": "export const other = 1;\n"}
    with pytest.raises(JoinError, match=rf"{place.replace('_', '/')}.js: “.+” is not understood\."):
        script(**files | {place: files[place] + line + "\n"})


def test_a_name_that_is_not_exported_is_refused():
    with pytest.raises(JoinError, match=r"pages/page\.js imports one, two, which words\.js does not export\."):
        script(
            pages_page='import { one, three, two } from "../words.js";\n',
            words="export const three = 3;\nconst one = 1;\n",
        )


def test_scripts_that_import_each_other_are_refused():
    files = {"start": 'import "./words.js";\n', "words": 'import "./start.js";\n'}
    with pytest.raises(JoinError, match=r"start\.js imports itself: pages/page\.js > start\.js > words\.js"):
        script(pages_page='import "../start.js";\n', **files)


def style(**files: str) -> str:
    return join_style(
        "pages/page.css", {f"{name.replace('_', '/')}.css": text for name, text in files.items()}.__getitem__
    )


def test_style_sheets_are_joined_in_the_order_in_which_they_are_imported():
    page = '/* Both. */\n@import "../second.css";\n@import "../first.css";\n'
    assert style(pages_page=page, first="a {}\n", second="b { background: url(data:,) }\n") == (
        "b { background: url(data:,) }\n\na {}\n"
    )
    assert style(pages_page="a { background: url(a.png) }\n") == "a { background: url(a.png) }\n"


@pytest.mark.parametrize("rules", ["a {}", '@import url("../first.css");', '@import "../first.css" print;'])
def test_a_style_sheet_imports_or_has_rules(rules):
    with pytest.raises(JoinError, match=r"pages/page\.css imports style sheets and says something else too\."):
        style(pages_page=f'@import "../first.css";\n{rules}\n', first="a {}\n")


@pytest.mark.parametrize(
    "rules", ['@charset "utf-8";', '@import url("a.css");', "@layer base;", "a { background: url(a.png) }"]
)
def test_a_style_sheet_that_means_something_else_in_another_file_is_refused(rules):
    with pytest.raises(JoinError, match=r"first\.css: “.+” is not understood\."):
        style(pages_page='@import "../first.css";\n', first=rules)
