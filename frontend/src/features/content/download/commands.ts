import type { Platform, ReleaseFile } from '../api'

export const platformNames: Record<Platform, string> = { macos: 'macOS', windows: 'Windows', linux: 'Linux' }

/** Prints the SHA-256 of the file where browsers put it. */
export const hashCommands: Record<Platform, (file: string) => string> = {
  macos: (file) => `shasum -a 256 ~/Downloads/${file}`,
  windows: (file) => `Get-FileHash "$HOME\\Downloads\\${file}" -Algorithm SHA256`,
  linux: (file) => `sha256sum ~/Downloads/${file}`,
}

/** Starts or installs the downloaded file and logs in at this service. */
export function loginCommand(platform: Platform, file: ReleaseFile, origin: string, email: string): string {
  const login = `login ${origin} --email ${email}`
  if (file.isInstaller) {
    const installed = `tess ${login}`
    return platform === 'linux' ? `sudo apt install ~/Downloads/${file.fileName} && ${installed}` : installed
  }
  if (platform === 'windows') {
    const path = `"$HOME\\Downloads\\${file.fileName}"`
    return file.needsPython ? `py ${path} ${login}` : `& ${path} ${login}`
  }
  const path = `~/Downloads/${file.fileName}`
  return file.needsPython ? `python3 ${path} ${login}` : `chmod +x ${path} && ${path} ${login}`
}
