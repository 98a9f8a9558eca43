import type { Platform } from '../api'

type Hints = Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { userAgentData?: { platform?: string } }

const byHint: Record<string, Platform> = { macOS: 'macos', Windows: 'windows' }

/** The platform of this computer; null for phones, tablets and systems without an installer. */
export function detectPlatform(navigator: Hints): Platform | null {
  const hint = navigator.userAgentData?.platform
  if (hint) return byHint[hint] ?? null
  const { userAgent } = navigator
  if (/Windows NT/.test(userAgent)) return 'windows'
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  return /Macintosh|Mac OS X/.test(userAgent) && !/iPhone|iPad/.test(userAgent) && navigator.maxTouchPoints < 2
    ? 'macos'
    : null
}
