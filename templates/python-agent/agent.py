# An agent: it gets a goal and the address of a browser, drives the browser, and reports when it is done.
import sys

from touchstone_agent import Page, answer, briefing, done, step

task = briefing()
page = Page(task.cdp_url)

# Your agent takes over here. This one reads the heading, whatever the goal asks for.
print(f"asked to: {task.goal}", file=sys.stderr)
heading = page.evaluate("document.querySelector('h1')?.innerText || document.title")
step("read", {"what": "heading"}, text=heading)
answer(heading)
done()
