import { useRef } from 'react'
import { Closing } from './landing/Closing'
import { Hero } from './landing/Hero'
import styles from './landing/landing.module.css'
import { Mosaic } from './landing/Mosaic'
import { Plan } from './landing/Plan'
import { Questions } from './landing/Questions'
import { Sight } from './landing/Sight'
import { Steps } from './landing/Steps'

export default function LandingPage() {
  const how = useRef<HTMLHeadingElement>(null)
  function learnMore() {
    const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    how.current?.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' })
    how.current?.focus({ preventScroll: true })
  }
  return (
    <div className={styles.page}>
      <Hero onLearnMore={learnMore} />
      <Steps headingRef={how} />
      <Mosaic />
      <Sight />
      <Plan />
      <Questions />
      <Closing />
    </div>
  )
}
