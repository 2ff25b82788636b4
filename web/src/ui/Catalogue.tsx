export function Catalogue() { return <div />; }
