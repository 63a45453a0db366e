/** Saves a text that was made in the browser as a file. */
export function saveFile(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Later, because the browser may not have started to read the file yet.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
