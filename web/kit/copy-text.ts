/** Copies a text to the clipboard; false if the browser refuses or lacks it, as in some frames. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
