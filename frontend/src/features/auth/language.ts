import { sessionStore, type User } from '@/api/session'
import { changeLanguage, currentLanguage, i18n } from '@/i18n/i18n'
import { languageWasChosen, settleLanguageChoice } from '@/i18n/languages'
import { updateProfile } from './api/update-profile'

/*
 * Whose language counts: one that somebody has picked from a list since this page was opened wins,
 * and becomes the account's, so that mails follow it. Otherwise a login brings the account's own.
 * A reload while signed in changes nothing: the browser remembers the language last shown.
 */

export async function settleLanguage(user: User): Promise<void> {
  const chosen = languageWasChosen()
  if (user.language !== currentLanguage()) await (chosen ? keepOnAccount(user) : changeLanguage(user.language))
  settleLanguageChoice()
}

/** While signed in, every choice of a language is kept on the account. Answers how to stop. */
export function followLanguage(): () => void {
  const follow = () => {
    const session = sessionStore.get()
    if (session.status === 'signedIn' && session.user.language !== currentLanguage()) void keepOnAccount(session.user)
  }
  i18n.on('languageChanged', follow)
  return () => i18n.off('languageChanged', follow)
}

async function keepOnAccount({ firstName, lastName }: User): Promise<void> {
  // The screen is in the right language already; only later mails would miss it.
  await updateProfile({ firstName, lastName, language: currentLanguage() }).catch(() => undefined)
}
