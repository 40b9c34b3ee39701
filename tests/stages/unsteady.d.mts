export function mayRunAgain(level: string, file: string): boolean;
export function isListed(title: string, list?: string): boolean;
