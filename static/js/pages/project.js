// Pages of those who make and watch projects.
import { showPrintButtons } from "../print.js";
import { startPage } from "../start.js";
import { startSuggestions } from "../suggest.js";
import { showTab } from "../tabs.js";
import { startWatching } from "../watch.js";

startWatching();
startPage([showTab, startSuggestions, showPrintButtons]);
