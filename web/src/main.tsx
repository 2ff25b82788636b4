import "./style/fonts.css";
import "./style/base.css";
import "./style/table.css";
import "./style/card.css";
import "./style/judge.css";
import "./style/panels.css";
import { render } from "preact";
import { start } from "./store/desk";
import { App } from "./ui/App";

render(<App />, document.getElementById("desk") as HTMLElement);
void start();
