import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckIcon, DarkModeIcon, LightModeIcon } from '@/components/icons'
import { TesseraMark } from '@/components/TesseraMark'
import { changeLanguage, currentLanguage } from '@/i18n/i18n'
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { settingsStore } from '@/lib/settings'
import { useThemeMode } from '@/theme/theme-mode'
import { usePageState } from '../page-state'
import styles from './StartFrame.module.css'

type Props = { step?: number; page: ReactNode }

/** Around everything before the files: the steps, language and theme. */
export function StartFrame({ step, page }: Props) {
  const { t } = useTranslation('client')
  const { version, device } = usePageState()
  const mode = useThemeMode()
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
          <select
            className={styles.language}
            aria-label={t('settings.language')}
            value={currentLanguage()}
            onChange={({ target }) => {
              if (isLanguage(target.value)) void changeLanguage(target.value)
            }}
          >
            {LANGUAGES.map((language) => (
              <option key={language} value={language}>
                {LANGUAGE_NAMES[language]}
              </option>
            ))}
          </select>
          <button
            type="button"
            className={styles.theme}
            aria-label={t(mode === 'dark' ? 'start.light' : 'start.dark')}
            onClick={() => settingsStore.update({ theme: mode === 'dark' ? 'light' : 'dark' })}
          >
            {mode === 'dark' ? <LightModeIcon /> : <DarkModeIcon />}
          </button>
        </span>
      </header>
      <main className={styles.main}>
        <Suspense fallback={null}>{page}</Suspense>
      </main>
      <footer className={styles.footer}>
        <bdi>{device}</bdi>
        <span>
          {t('start.version')} <bdi dir="ltr">{version}</bdi>
        </span>
      </footer>
    </div>
  )
}
