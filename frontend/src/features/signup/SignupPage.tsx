import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/Skeleton'
import { Toasts } from '@/components/Toasts'
import { CurrentStep } from './CurrentStep'
import styles from './signup.module.css'
import { SignupDialogs } from './SignupDialogs'
import { Stepper } from './Stepper'
import { useSignup, type Beginning } from './use-signup'

/** The first ten minutes with the product, in six labelled steps. */
export default function SignupPage({ begin }: { begin?: () => Beginning }) {
  const { t } = useTranslation('signup')
  const signup = useSignup(begin)
  return (
    <div className={styles.page}>
      <Stepper step={signup.draft.step} />
      <div className={styles.content}>
        <div className={styles.card}>
          <Suspense fallback={<Skeleton label={t('loading')} heights={[36, 24, 72, 72, 48]} />}>
            <CurrentStep signup={signup} />
          </Suspense>
        </div>
      </div>
      <SignupDialogs signup={signup} />
      <Toasts />
    </div>
  )
}
