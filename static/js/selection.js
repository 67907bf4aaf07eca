// Selection: the sentences of the reports are buttons that fill the slots A, B, C. The radio buttons that the server
// sent hold the state, so that the form is the same with and without this.
import { draftOf, dropDraft, keepDraft } from "./draft.js";
import { putRating, ratingIn } from "./page.js";
import { clearButton, makeButton, showRole, showSentence } from "./selection_view.js";
import { fill, words } from "./words.js";

export function startSelections(root) {
  const form = root.querySelector("form[data-selection]");
  if (form && !form.selection) form.selection = new Selection(form);
}

class Selection {
  constructor(form) {
    this.form = form;
    this.slots = [...form.querySelectorAll(".slot")];
    this.roles = this.slots.map((slot) => slot.dataset.role);
    this.present = null; // the sentence that was in focus last
    this.asked = false; // whether the person was asked about ratings against the order of the slots
    this.sentences = [...form.querySelectorAll(".sentence")];
    this.sentences.forEach(makeButton);
    this.slots.forEach((slot) => clearButton(slot, () => this.clear(slot.dataset.role)));
    this.listen();
    this.restore();
    this.refresh();
  }

  listen() {
    this.form.addEventListener("click", (event) => {
      const sentence = event.target.closest(".sentence");
      if (event.target.closest(".picks")) {
        if (event.target.matches("input")) this.toggle(sentence, event.target.name.slice("pick-".length));
      } else if (sentence && event.target.closest("p")) this.take(sentence);
    });
    this.form.addEventListener("focusin", ({ target }) => {
      const [slot, sentence] = [target.closest(".slot"), target.closest(".sentence")];
      if (slot) this.activate(slot);
      if (sentence) this.enter(sentence);
      this.keep();
    });
    for (const name of ["slider:settled", "change"]) {
      this.form.addEventListener(name, ({ target }) => {
        if (target.closest(".slot")) this.activate(target.closest(".slot"));
        this.refresh();
      });
    }
    this.form.addEventListener("submit", () => dropDraft(this.form));
  }

  roleOf(sentence) {
    return sentence.querySelector(".picks input:checked")?.name.slice("pick-".length) ?? null;
  }

  sentenceIn(role) {
    return this.form.querySelector(`input[name="pick-${role}"]:checked`)?.closest(".sentence") ?? null;
  }

  scaleOf(role) {
    return this.slots[this.roles.indexOf(role)].querySelector("fieldset");
  }

  /** Into the next empty slot; one that is chosen shows its letters instead, and so does one too many, with the reason. */
  take(sentence) {
    const empty = this.roles.find((role) => !this.sentenceIn(role));
    if (empty && !sentence.dataset.role) return this.put(sentence, empty);
    const open = !sentence.hasAttribute("data-open");
    this.sentences.forEach((each) => each.toggleAttribute("data-open", each === sentence && open));
    const text = open && !sentence.dataset.role ? fill(words.selecting.full, { all: this.slots.length }) : "";
    this.form.dispatchEvent(new CustomEvent("selection:refused", { detail: { text } }));
  }

  /** What to ask before the answer goes, once: whether a sentence that should be more similar than another is less so. */
  question() {
    const [inverted] = this.inversions();
    this.form.elements.inversion.value = this.asked ? (inverted ? "kept" : "changed") : "";
    if (!inverted || this.asked) return "";
    this.asked = true;
    this.keep();
    const [one, other] = inverted;
    return fill(words.selecting.inverted, { title: one.title, other: other.title, button: this.form.querySelector(".first").textContent });
  }

  /** Pairs of slots with ratings against their order, the farthest apart first. */
  inversions() {
    const rated = this.slots.map(({ dataset }) => ({ ...dataset, rating: ratingIn(this.scaleOf(dataset.role)) }));
    return rated.flatMap((one) => rated.map((other) => [one, other]))
      .filter(([one, other]) => Number(one.expected) > Number(other.expected) && one.rating < other.rating)
      .sort(([one, other], [third, fourth]) => one.rating - other.rating - (third.rating - fourth.rating));
  }

  /** The letter that a sentence has already takes it out again. */
  toggle(sentence, role) {
    if (sentence.dataset.role === role) this.clear(role);
    else this.put(sentence, role);
  }

  /** A sentence that moves from slot to slot takes its rating along: it belongs to the pair. */
  put(sentence, role) {
    const before = sentence.dataset.role;
    if (before === role) return;
    const rating = before ? ratingIn(this.scaleOf(before)) : null;
    if (before) this.empty(before);
    this.empty(role);
    sentence.querySelector(`input[name="pick-${role}"]`).checked = true;
    putRating(this.scaleOf(role), rating);
    this.sentences.forEach((each) => each.removeAttribute("data-open"));
    this.activate(this.slots[this.roles.indexOf(role)]);
    this.changed();
  }

  clear(role) {
    this.empty(role);
    this.activate(null);
    this.changed();
  }

  empty(role) {
    this.form.querySelectorAll(`input[name="pick-${role}"]:checked`).forEach((input) => { input.checked = false; });
    putRating(this.scaleOf(role), null);
  }

  changed() {
    this.refresh();
    this.form.dispatchEvent(new CustomEvent("selection:change"));
  }

  /** The slot whose rating typed digits change; null for none. */
  activate(slot) {
    this.slots.forEach((each) => each.toggleAttribute("data-active", each === slot));
  }

  /** Only one sentence is in the Tab order; the arrow keys lead to the others. Digits rate the present one. */
  enter(sentence) {
    this.sentences.forEach((each) => { each.querySelector("p").tabIndex = each === sentence ? 0 : -1; });
    this.present = sentence;
    this.activate(this.slots[this.roles.indexOf(this.roleOf(sentence))] ?? null);
  }

  focus() {
    (this.form.querySelector('.sentence > p[tabindex="0"]') ?? this.form.querySelector(".sentence > p"))?.focus();
  }

  /** Shows on sentences and slots what the radio buttons say. */
  refresh() {
    for (const sentence of this.sentences) showRole(sentence, this.roleOf(sentence), this.slots);
    for (const slot of this.slots) showSentence(slot, this.sentenceIn(slot.dataset.role));
    const chosen = this.slots.filter((slot) => !slot.hasAttribute("data-empty")).length;
    const rated = this.roles.filter((role) => ratingIn(this.scaleOf(role)) !== null).length;
    const all = this.slots.length;
    this.form.querySelectorAll("[data-count]").forEach((place) => {
      const text = fill(words.selecting.count, { chosen, rated, all });
      if (place.textContent !== text) place.textContent = text;
      place.toggleAttribute("data-complete", chosen === all && rated === all);
    });
    this.keep();
  }

  keep() {
    const slots = this.roles.map((role) => ({
      role, sentence: this.sentenceIn(role)?.dataset.sentence ?? null, value: ratingIn(this.scaleOf(role)),
    }));
    const active = this.slots.findIndex((slot) => slot.hasAttribute("data-active"));
    keepDraft(this.form, { asked: this.asked, at: this.present?.dataset.sentence, active, slots });
  }

  /** What was begun before, unless the server sent an answer along, and where the person was. */
  restore() {
    const { asked, at, active, slots } = draftOf(this.form) ?? {};
    const find = (key) => this.sentences.find((each) => each.dataset.sentence === key);
    this.asked = Boolean(asked);
    if (!this.form.querySelector(".picks input:checked")) {
      for (const { role, sentence, value } of slots ?? []) {
        if (!find(sentence) || !this.roles.includes(role)) continue;
        find(sentence).querySelector(`input[name="pick-${role}"]`).checked = true;
        putRating(this.scaleOf(role), value);
      }
    }
    if (find(at)) this.enter(find(at));
    this.activate(this.slots[active]);
  }
}
