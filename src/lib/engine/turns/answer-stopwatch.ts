import type { AnswerEvent } from '../../conversation/growing-answer';
import type { AnswerTimes } from '../../conversation/message';
import type { Clock } from '../../shared/clock';

/** Takes the times of one answer, from its events. A clock that was set back meanwhile makes no time negative. */
export class AnswerStopwatch {
	private startedAt = 0;
	private firstAt: number | undefined;
	/** Since when the model thinks; undefined while it does not. */
	private thinkingSince: number | undefined;
	private thinking = 0;

	constructor(private readonly clock: Clock) {}

	/** To be called as the model is asked. */
	start(): void {
		this.startedAt = this.clock();
	}

	note(event: AnswerEvent['type']): void {
		const now = this.clock();
		this.firstAt ??= now;
		if (event === 'reasoning-delta') this.thinkingSince ??= now;
		else this.endThinking(now);
	}

	stop(): AnswerTimes {
		const now = this.clock();
		this.endThinking(now);
		return { first: between(this.startedAt, this.firstAt ?? now), total: between(this.startedAt, now), thinking: this.thinking };
	}

	private endThinking(now: number): void {
		if (this.thinkingSince !== undefined) this.thinking += between(this.thinkingSince, now);
		this.thinkingSince = undefined;
	}
}

function between(from: number, to: number): number {
	return Math.max(0, Math.round(to - from));
}
