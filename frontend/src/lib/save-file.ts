/** Downloads a file. The browser holds it until it is released. */
export function saveFile(file: Blob, name: string, onReleased?: () => void): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has started by then.
  window.setTimeout(() => {
    URL.revokeObjectURL(address)
    onReleased?.()
  }, 1_000)
}
