/** Small signs, drawn here: nothing is loaded. Each stands beside a word or a label that says the same. */

const PATHS = {
  sword: "M14.5 2.5 20 2l-.5 5.5L9 18l-3-3zM4.5 13.5l6 6M3 21l3.5-3.5",
  heart: "M12 20.5S3.5 15.6 3.5 9.4A4.6 4.6 0 0 1 12 7a4.6 4.6 0 0 1 8.5 2.4c0 6.2-8.5 11.1-8.5 11.1z",
  undo: "M8 5 3.5 9.5 8 14M4 9.5h10a6 6 0 0 1 0 12h-2",
  redo: "m16 5 4.5 4.5L16 14M20 9.5H10a6 6 0 0 0 0 12h2",
  sun: "M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M15 7.5h3.8M16 12h5M15 16.5h3.8",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  cross: "m6 6 12 12M18 6 6 18",
  pen: "M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3",
  yes: "m4.5 12.5 5 5 10-11",
  no: "m6.5 6.5 11 11M17.5 6.5l-11 11",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21",
  cards:
    "M8 3.5h9a2 2 0 0 1 2 2v12M5 7h9a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 14 21H5a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 5 7z",
  table: "M3 5.5h18v13H3zM3 12h18M12 5.5v13",
  scales: "M12 4v16M6.5 7h11M6.5 7l-3.2 6.5h6.4zM17.5 7l-3.2 6.5h6.4zM8.5 20h7",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5",
  book: "M4 5a3 3 0 0 1 3-2h13v15H7a3 3 0 0 0-3 3zM4 5v16M20 18v3H7",
  arrow: "M4 12h15M13 6l6 6-6 6",
  dice: "M4.5 4.5h15v15h-15zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01",
  turn: "M5 9a7.5 7.5 0 0 1 13.5-1M19 4v4.5h-4.5M19 15a7.5 7.5 0 0 1-13.5 1M5 20v-4.5h4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, fill = false }: { name: IconName; fill?: boolean }) {
  return (
    <svg class={fill ? "icon solid" : "icon"} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
