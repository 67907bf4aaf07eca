// The form of the present screen, and its scales: lines to click, or native fields for those who prefer them.
export const answerForm = () => document.querySelector("form[data-answer]");
export const slidersOf = (form) => [...form.querySelectorAll("fieldset[data-scale]")].flatMap((each) => each.slider ?? []);

/** The rating that stands in a scale, as a number; null for none. */
export function ratingIn(fieldset) {
  if (fieldset.slider) return fieldset.slider.value;
  const text = fieldset.querySelector("input:checked, input[type=number]")?.value ?? "";
  return text === "" ? null : Number(text);
}

/** Puts a rating in, or null to take it out, without its counting as an act of the person. */
export function putRating(fieldset, value) {
  if (fieldset.slider) return fieldset.slider.show(value);
  fieldset.querySelectorAll("input").forEach((input) => {
    if (input.type === "radio") input.checked = value !== null && Number(input.value) === value;
    else input.value = value ?? "";
  });
  return undefined;
}
