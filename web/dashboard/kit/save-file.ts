/** Saves a text that was made in the browser as a file. */
export function saveFile(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  saveAddress(address, name)
  // Later, because the browser may not have started to read the file yet.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Saves what the server answers at the address, under the name that it gives where none is given here. */
export function saveAddress(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
