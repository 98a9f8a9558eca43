import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckIcon } from '@/components/icons/CheckIcon'
import { LanguageSelect } from '@/components/LanguageSelect'
import { TesseraMark } from '@/components/TesseraMark'
import { ThemeToggle } from '@/components/ThemeToggle'
import { usePageState } from '../client-state'
import styles from './StartFrame.module.css'
import { Name } from '../Name'

type Props = { step?: number; children: ReactNode }

/** Around everything before the files: the steps, language and theme. */
export function StartFrame({ step, children }: Props) {
  const { t } = useTranslation('client')
  const { version, device } = usePageState()
  const steps = [t('start.logIn'), t('start.confirm'), t('start.access')]
  return (
    <div className={styles.frame}>
      <header className={`t-ends ${styles.bar}`}>
        <span className={`t-line ${styles.brand}`}>
          <TesseraMark size={26} />
          Tessera
        </span>
        {step ? (
          <ol className={`t-line ${styles.steps}`}>
            {steps.map((name, index) => (
              <li key={name} className={`t-line ${styles.step}`} aria-current={index + 1 === step ? 'step' : undefined}>
                <span className={styles.number} data-done={index + 1 < step}>
                  {index + 1 < step ? <CheckIcon /> : index + 1}
                </span>
                {name}
              </li>
            ))}
          </ol>
        ) : null}
        <span className="t-line">
          <LanguageSelect />
          <ThemeToggle />
        </span>
      </header>
      <main className={styles.main}>{children}</main>
      <footer className={`t-line t-soft ${styles.bar}`}>
        <Name>{device}</Name>
        <span>
          {t('start.version')} <bdi dir="ltr">{version}</bdi>
        </span>
      </footer>
    </div>
  )
}
