import type { Installer, Platform } from '../api'

export const platformNames: Record<Platform, string> = { macos: 'macOS', windows: 'Windows' }

/** Prints the SHA-256 of the file where browsers put it. */
export const hashCommands: Record<Platform, (file: string) => string> = {
  macos: (file) => `shasum -a 256 ~/Downloads/${file}`,
  windows: (file) => `Get-FileHash "$HOME\\Downloads\\${file}" -Algorithm SHA256`,
}

export function ownFirst(installers: Installer[], own: Platform | null): Installer[] {
  return [...installers].sort((a, b) => Number(b.platform === own) - Number(a.platform === own))
}
