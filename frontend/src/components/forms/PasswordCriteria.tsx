import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findPasswordProblem, minPasswordCharacters, type PasswordProblem } from '@/crypto/password-rules'
import { CheckIcon } from '../icons/CheckIcon'
import { CircleIcon } from '../icons/CircleIcon'
import styles from './PasswordCriteria.module.css'

type Props = { password: string; confirmation: string; email: string }

function Line({ met, children }: { met: boolean; children: string }) {
  const { t } = useTranslation('auth')
  return (
    <li className={styles.line} data-met={met}>
      {met ? <CheckIcon /> : <CircleIcon />}
      {children}
      <span className="t-hidden">{t(met ? 'password.met' : 'password.open')}</span>
    </li>
  )
}

/** The password rules, ticked off while typing. */
export function PasswordCriteria({ password, confirmation, email }: Props) {
  const { t } = useTranslation('auth')
  const problem = useProblem(password, email)
  const long = Array.from(password.normalize('NFKC')).length >= minPasswordCharacters
  return (
    <ul className={styles.list} aria-label={t('password.label')}>
      <Line met={long}>{t('password.long', { count: minPasswordCharacters })}</Line>
      <Line met={long && problem === null}>{t('password.hard')}</Line>
      <Line met={password !== '' && password === confirmation}>{t('password.same')}</Line>
    </ul>
  )
}

function useProblem(password: string, email: string): PasswordProblem | null {
  const [found, setFound] = useState<{ password: string; problem: PasswordProblem | null } | null>(null)
  useEffect(() => {
    let current = true
    // The list of common passwords is fetched when it is first needed.
    findPasswordProblem(password, email).then(
      (problem) => {
        if (current) setFound({ password, problem })
      },
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [password, email])
  return found?.password === password ? found.problem : 'tooShort'
}
