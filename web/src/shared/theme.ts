// Light and dark: the system's wish, or the reader's, which is kept where the browser lets a page keep things.
import { choice } from "./dom";

export type Theme = "auto" | "light" | "dark";
const key = "pith-theme";
const listeners: (() => void)[] = [];
const system = matchMedia("(prefers-color-scheme: dark)");

function kept(): Theme {
  try {
    const theme = localStorage.getItem(key);
    return theme === "light" || theme === "dark" ? theme : "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

export function is_dark(): boolean {
  const theme = document.documentElement.dataset.theme;
  return theme === "dark" || (theme === undefined && system.matches);
}

/** Canvases know no CSS: they are told. Print is always light. */
export function on_theme_change(listener: () => void): void {
  listeners.push(listener);
}

export function theme_switch(): HTMLElement {
  let theme = kept();
  apply(theme);
  system.addEventListener("change", () => apply(theme));
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(theme));
  return choice("Theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], theme, (value) => {
    theme = value as Theme;
    try {
      localStorage.setItem(key, theme);
    } catch { /* a page that may keep nothing still changes */ }
    apply(theme);
  });
}
