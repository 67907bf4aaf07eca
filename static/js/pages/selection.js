// Screens on which sentences are selected and rated.
import { startAnswers } from "../answer.js";
import { startSelections } from "../selection.js";
import { startSelectionKeys } from "../selection_keys.js";
import { startShortcuts } from "../shortcuts.js";
import { startSliders } from "../slider.js";
import { startPage } from "../start.js";

startSelectionKeys(); // before the digits, which leave Shift with a digit to it
startShortcuts();
startPage([startSliders, startSelections, startAnswers]); // a selection works on sliders that stand; a form is locked when it is complete
