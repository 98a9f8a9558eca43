import { sessionStore, type User } from '@/api/session'
import { changeLanguage, currentLanguage, i18n } from '@/i18n/i18n'
import { languageWasChosen, settleLanguage } from '@/i18n/languages'

/*
 * Whose language counts: one that somebody has picked in this browser, on the login page or before,
 * wins and becomes the account's, so that mails follow it. Otherwise a login brings the account's own.
 * A choice while signed in goes to the account as well. The browser keeps showing the last language
 * after a logout, but the next account may bring another.
 */

export async function agreeOnLanguage(user: User): Promise<void> {
  if (user.language === currentLanguage()) settleLanguage()
  else if (languageWasChosen()) await keepOnAccount(user)
  else {
    await changeLanguage(user.language)
    settleLanguage()
  }
}

/** While signed in, saves each chosen language to the account. Returns a function that stops it. */
export function followLanguage(): () => void {
  const follow = () => {
    const session = sessionStore.get()
    if (session.status === 'signedIn' && languageWasChosen()) void agreeOnLanguage(session.user)
  }
  i18n.on('languageChanged', follow)
  return () => i18n.off('languageChanged', follow)
}

async function keepOnAccount({ firstName, lastName }: User): Promise<void> {
  try {
    const { updateProfile } = await import('./api')
    await updateProfile({ firstName, lastName, language: currentLanguage() })
    settleLanguage()
  } catch {
    // The screen is in the right language already; the next login tries again.
  }
}

/** Signs the user in and settles which language counts. */
export function startSession(token: string, user: User): void {
  sessionStore.signIn(token, user)
  // Not awaited: a language that could not be saved must not undo a login.
  void agreeOnLanguage(user)
}
