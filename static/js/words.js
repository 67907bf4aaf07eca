// The texts that scripts say, in the language of the page, which carries them; see annotation/views/words.py.
export const words = JSON.parse(document.getElementById("words").textContent);

const page = document.documentElement.lang;
const regional = [navigator.language, page === "en" ? "en-GB" : page].find((name) => name.split("-")[0] === page);
/** For numbers and dates: as the reader's part of the world writes the language of the page, in the server's digits. */
export const language = new Intl.Locale(regional ?? page, { numberingSystem: "latn" });

/** The text with its places filled: `fill("{chosen} of {all}", { chosen: 1, all: 3 })`. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
