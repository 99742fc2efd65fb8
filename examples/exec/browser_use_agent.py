# browser-use as an entrant. Untried: where this was written, browser-use could not be installed.
#   pip install browser-use;  touchstone run basics --agent examples/exec/browser-use.yaml
import asyncio
import json
import os
import sys

# Its own words go to standard error; standard output is for the protocol.
protocol, sys.stdout = sys.stdout, sys.stderr

from browser_use import Agent, BrowserSession, ChatOpenAI  # noqa: E402


def say(**line):
    print(json.dumps(line), file=protocol, flush=True)


async def main():
    briefing = json.load(sys.stdin)
    model = os.environ.get("MODEL", "gpt-4.1-mini")

    async def on_step(state, output, number):
        for action in output.action:
            for tool, args in action.model_dump(exclude_none=True).items():
                say(type="step", tool=tool, args=args if isinstance(args, dict) else {})

    agent = Agent(
        task=briefing["goal"],
        llm=ChatOpenAI(model=model),
        browser_session=BrowserSession(cdp_url=briefing["cdp_url"]),
        register_new_step_callback=on_step,
        calculate_cost=True,
    )
    history = await agent.run(max_steps=briefing["caps"]["max_steps"])
    if history.usage is not None:
        say(
            type="usage",
            input_tokens=history.usage.total_prompt_tokens,
            output_tokens=history.usage.total_completion_tokens,
            cost_usd=history.usage.total_cost,
            model=model,
        )
    if not history.is_done():
        say(type="give_up", reason="browser-use stopped before it was done")
        return
    if history.final_result() is not None:
        say(type="answer", value=history.final_result())
    say(type="done")


asyncio.run(main())
