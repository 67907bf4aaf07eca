// Selection: the sentences of the reports are buttons that fill the slots A, B, C. The radio buttons that the server
// sent hold the state, so that the form is the same with and without this.
import { draftOf, dropDraft, keepDraft } from "./draft.js";

export function startSelections(root) {
  const form = root.querySelector("form[data-selection]");
  if (form && !form.selection) form.selection = new Selection(form);
}

class Selection {
  constructor(form) {
    this.form = form;
    this.slots = [...form.querySelectorAll(".slot")];
    this.roles = this.slots.map((slot) => slot.dataset.role);
    this.sentences = [...form.querySelectorAll(".sentence")];
    this.sentences.forEach(makeButton);
    this.slots.forEach((slot) => this.addClearing(slot));
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
      const slot = target.closest(".slot");
      if (slot) this.activate(slot);
      if (target.matches(".sentence > p")) this.enter(target);
    });
    this.form.addEventListener("slider:settled", ({ detail }) => {
      this.activate(detail.slider.fieldset.closest(".slot"));
      this.refresh();
    });
    this.form.addEventListener("submit", () => dropDraft(this.form));
  }

  roleOf(sentence) {
    return sentence.querySelector(".picks input:checked")?.name.slice("pick-".length) ?? null;
  }

  sentenceIn(role) {
    return this.sentences.find((sentence) => this.roleOf(sentence) === role) ?? null;
  }

  sliderOf(role) {
    return this.slots[this.roles.indexOf(role)].querySelector("fieldset").slider;
  }

  /** Into the next empty slot; one that is chosen, or when all slots are full, shows its letters instead. */
  take(sentence) {
    const empty = this.roles.find((role) => !this.sentenceIn(role));
    if (empty && !sentence.dataset.role) return this.put(sentence, empty);
    const open = !sentence.hasAttribute("data-open");
    this.sentences.forEach((each) => each.toggleAttribute("data-open", each === sentence && open));
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
    const rating = before ? this.sliderOf(before)?.value ?? null : null;
    if (before) this.empty(before);
    this.empty(role);
    sentence.querySelector(`input[name="pick-${role}"]`).checked = true;
    this.sliderOf(role)?.show(rating);
    this.sentences.forEach((each) => each.removeAttribute("data-open"));
    this.activate(this.slots[this.roles.indexOf(role)]);
    this.changed();
  }

  clear(role) {
    this.empty(role);
    this.changed();
  }

  empty(role) {
    this.form.querySelectorAll(`input[name="pick-${role}"]:checked`).forEach((input) => { input.checked = false; });
    this.sliderOf(role)?.show(null);
  }

  changed() {
    this.refresh();
    this.form.dispatchEvent(new CustomEvent("selection:change"));
  }

  activate(slot) {
    this.slots.forEach((each) => each.toggleAttribute("data-active", each === slot));
  }

  /** Only one sentence is in the Tab order; the arrow keys lead to the others. */
  enter(text) {
    this.sentences.forEach((each) => { each.querySelector("p").tabIndex = -1; });
    text.tabIndex = 0;
  }

  focus() {
    (this.form.querySelector('.sentence > p[tabindex="0"]') ?? this.form.querySelector(".sentence > p"))?.focus();
  }

  /** Shows on sentences and slots what the radio buttons say. */
  refresh() {
    for (const sentence of this.sentences) showRole(sentence, this.roleOf(sentence), this.slots);
    for (const slot of this.slots) showSentence(slot, this.sentenceIn(slot.dataset.role));
    const chosen = this.slots.filter((slot) => !slot.hasAttribute("data-empty")).length;
    const rated = this.roles.filter((role) => (this.sliderOf(role)?.value ?? null) !== null).length;
    const all = this.slots.length;
    this.form.querySelectorAll("[data-count]").forEach((place) => {
      const text = `${chosen} of ${all} chosen, ${rated} of ${all} rated`;
      if (place.textContent !== text) place.textContent = text;
      place.toggleAttribute("data-complete", chosen === all && rated === all);
    });
    keepDraft(this.form, this.roles.map((role) => ({
      role, sentence: this.sentenceIn(role)?.dataset.sentence ?? null, value: this.sliderOf(role)?.value ?? null,
    })));
  }

  addClearing(slot) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = "Take out";
    button.setAttribute("aria-label", `Take the sentence “${slot.dataset.title}” out`);
    button.addEventListener("click", () => this.clear(slot.dataset.role));
    slot.querySelector("header").append(button);
  }

  /** What was begun before, unless the server sent an answer along. */
  restore() {
    if (this.form.querySelector(".picks input:checked")) return;
    for (const { role, sentence, value } of draftOf(this.form) ?? []) {
      const found = this.sentences.find((each) => each.dataset.sentence === sentence);
      if (!found || !this.roles.includes(role)) continue;
      found.querySelector(`input[name="pick-${role}"]`).checked = true;
      this.sliderOf(role)?.show(value);
    }
  }
}

function makeButton(sentence, index) {
  const text = sentence.querySelector("p");
  text.setAttribute("role", "button");
  text.tabIndex = index === 0 ? 0 : -1;
  sentence.querySelectorAll(".picks input").forEach((input) => { input.tabIndex = -1; });
}

function showRole(sentence, role, slots) {
  const slot = slots.find((each) => each.dataset.role === role);
  if ((sentence.dataset.role ?? null) === role && sentence.dataset.shown) return;
  sentence.dataset.shown = "1";
  const text = sentence.querySelector("p");
  text.setAttribute("aria-pressed", Boolean(role));
  if (role) Object.assign(sentence.dataset, { role, colour: slot.dataset.colour });
  else ["role", "colour"].forEach((name) => delete sentence.dataset[name]);
  text.querySelector(".letter")?.remove();
  if (!role) return;
  const sign = document.createElement("span");
  sign.className = "letter";
  sign.dataset.colour = slot.dataset.colour;
  sign.textContent = role;
  text.prepend(sign, " ");
}

function showSentence(slot, sentence) {
  const text = slot.querySelector(".chosen");
  slot.toggleAttribute("data-empty", !sentence);
  slot.querySelector("header button").hidden = !sentence;
  const words = sentence ? plainText(sentence) : "Choose a sentence.";
  if (text.textContent !== words) text.textContent = words;
}

function plainText(sentence) {
  const copy = sentence.querySelector("p").cloneNode(true);
  copy.querySelector(".letter")?.remove();
  return copy.textContent.trim();
}
