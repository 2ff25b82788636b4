export function Outcomes() { return <div />; }
