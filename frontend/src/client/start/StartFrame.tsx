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
      <header className={styles.header}>
        <span className={styles.brand}>
          <TesseraMark size={26} />
          Tessera
        </span>
        {step ? (
          <ol className={styles.steps}>
            {steps.map((name, index) => (
              <li key={name} className={styles.step} aria-current={index + 1 === step ? 'step' : undefined}>
                <span className={styles.number} data-done={index + 1 < step}>
                  {index + 1 < step ? <CheckIcon /> : index + 1}
                </span>
                {name}
              </li>
            ))}
          </ol>
        ) : null}
        <span className={styles.tools}>
          <LanguageSelect />
          <ThemeToggle />
        </span>
      </header>
      <main className={styles.main}>{children}</main>
      <footer className={styles.footer}>
        <Name>{device}</Name>
        <span>
          {t('start.version')} <bdi dir="ltr">{version}</bdi>
        </span>
      </footer>
    </div>
  )
}
