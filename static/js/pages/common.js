// Pages without parts of their own. A page names one script of this folder.
import { startPage } from "../start.js";

startPage();
