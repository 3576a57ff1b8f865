"""Opens pages in a headless Chromium and says what happened: PageViewer FOLDER PAGE…

One JSON object a line for each page, in order: `page`, `title`, `text` (as a person reads it), `console` (what was logged as an
error or a warning, and exceptions), `requests` (addresses asked for beside the page itself; data: is none), `overflow` (the page
is wider than the window), `screenshot` and `print` (files in FOLDER), `printed_pages`. It speaks the DevTools protocol over two
pipes, https://chromedevtools.github.io/devtools-protocol/, and opens no port.
"""

import base64
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--no-pings", "--hide-scrollbars", "--mute-audio", "--remote-debugging-pipe",
]
WIDTH, HEIGHT = 1000, 1200
SECONDS = 60


class Browser:
    def __init__(self, profile):
        program = next(path for path in (which(name) for name in BROWSERS) if path)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        for number in (theirs_in, theirs_out):
            os.set_inheritable(number, True)
        # The browser reads commands from 3 and answers on 4.
        shell = f'exec 3<&{theirs_in} 4>&{theirs_out}; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", program, *SWITCHES, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(theirs_in)
        os.close(theirs_out)
        self.reading, self.writing = ours_in, ours_out
        self.buffer = b""
        self.events = []
        self.number = 0
        self.deadline = time.monotonic() + SECONDS

    def message(self):
        while b"\0" not in self.buffer:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                raise TimeoutError("the browser did not answer")
            part = os.read(self.reading, 1 << 20)
            if not part:
                raise EOFError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def which(name):
    for folder in os.environ.get("PATH", "").split(":"):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    return None


def look(browser, page, folder):
    browser.events.clear()
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ["Page", "Runtime", "Log", "Network"]:
        browser.call(f"{domain}.enable", session)
    browser.call("Emulation.setDeviceMetricsOverride", session, width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
    browser.events.clear()
    address = "file://" + os.path.abspath(page)
    browser.call("Page.navigate", session, url=address)
    browser.wait("Page.loadEventFired")
    seen = browser.call(
        "Runtime.evaluate", session, awaitPromise=True, returnByValue=True,
        expression="""new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done({
            title: document.title, text: document.body.innerText,
            overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth,
            broken: Array.from(document.images).filter(image => !image.complete || image.naturalWidth === 0).length,
            pictures: document.images.length}))))""")["result"]["value"]
    name = os.path.join(folder, os.path.splitext(os.path.basename(page))[0])
    size = browser.call("Page.getLayoutMetrics", session)["cssContentSize"]
    shot = browser.call(
        "Page.captureScreenshot", session, format="png", captureBeyondViewport=True,
        clip={"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1})
    write(name + ".png", shot["data"])
    paper = browser.call("Page.printToPDF", session, printBackground=True, paperWidth=8.27, paperHeight=11.69)
    write(name + ".pdf", paper["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(paper["data"])))
    seen.update(
        page=page, console=console(browser.events), requests=requests(browser.events, address), screenshot=name + ".png",
        print=name + ".pdf", printed_pages=pages)
    browser.call("Target.closeTarget", targetId=target)
    return seen


def console(events):
    lines = []
    for event in events:
        parameters = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            lines.append("exception: " + parameters["exceptionDetails"]["text"])
        elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            lines.append(parameters["type"] + ": " + " ".join(str(a.get("value")) for a in parameters["args"]))
        elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            lines.append(parameters["entry"]["level"] + ": " + parameters["entry"]["text"])
    return lines


def requests(events, address):
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    return [url for url in asked if url != address and not url.startswith("data:")]


def write(path, data):
    with open(path, "wb") as file:
        file.write(base64.b64decode(data))


def main():
    folder, pages = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(profile)
        try:
            for page in pages:
                print(json.dumps(look(browser, page, folder)), flush=True)
        finally:
            browser.end()


main()
