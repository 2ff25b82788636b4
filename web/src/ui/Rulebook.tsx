export function Rulebook() { return <div />; }
