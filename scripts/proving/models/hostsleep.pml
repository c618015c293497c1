// The host's sleep: arm the switch that cuts the supply, read it back, ask to power off, read again, cut, wake, disarm.
//
// The daemon, the helper that asks logind, the hook at the end of a shutdown, the switch, a second program that writes
// to the switch, and an operator. Between any two steps a program may crash, a write to the switch may be lost, the
// switch may lose what it holds, and the power may fail, any number of times. A step is one transfer to the switch, one
// file written or read, or one answer of logind.
// Time passes in ticks of a minute or so: an alarm ticks down to 0, which is no alarm.
// The lines `step` and `planted` are as in outbox.pml.
//
// planted COPY_READ: the alarm is read from the kernel's copy of what was written, not from the switch
// planted BACKSTOP_UNREAD: the backstop is written, and not read back
// planted NOT_READ_AT_THE_HOOK: the hook cuts the supply without reading the alarm again
// planted TOO_NEAR: an alarm counts however soon it is due
// planted HOOK_ALONE: where the hook crashes, the power-off goes on
// planted REQUEST_BELIEVED: the hook goes by the daemon's request, not by what the helper kept of it
// planted KEPT_LATE: the helper keeps the request only once logind has answered
// planted KEPT_REPLACED: a request is kept in place of another, for which logind may have been asked
// planted ASKED_BY_ROOT: logind is asked by root, for whom it overlooks sessions and inhibitors
// planted LISTED_FIRST: the helper looks for sessions and inhibitors itself, then tells logind to overlook them
// planted SERVED_ARMED: the daemon serves before it disarms
// planted REFUSED_ARMED: a daemon whose request was refused leaves the switch armed
// planted LEFT_ARMED: a power-off by the owner leaves the switch armed
// planted KEPT_ON_THE_CARD: what the helper kept is still there after a boot
// planted COUNTED_IN_MEMORY: boots that served nobody are counted in memory

// Ticks from arming to the alarm, the fewest ahead at which an alarm counts, and those of the backstop.
#define AHEAD 3
#ifdef TOO_NEAR
#define LEAST 1
#else
#define LEAST 2
#endif
#define BACKSTOP 4

// Boots in a row that serve nobody, after which the host stays on.
#define MOST 3

// The host. HALTED: it has stopped, and its supply is there; DARK: there is no supply to give it.
#define OFF 0
#define ON 1
#define STOPPING 2
#define HOOK 3
#define HALTED 4
#define DARK 5

// The daemon.
#define NONE 0
#define STARTED 1
#define COUNTED 2           // this boot is in the ring of boots; the switch is to be disarmed
#define DISARMED 3          // that was written, and is to be read back
#define AWAKE 4
#define ARMED 5             // the alarm was written
#define COUNTING 6          // the backstop too; both are to be read back
#define VERIFIED 7
#define ASKED 8             // the request stands

// The helper, whose state is NONE before and after.
#define TAKEN 1
#define CHECKED 2
#define KEPT 3
#define LISTED 4            // (planted)
#define REFUSES 5           // the daemon is to be told that it was refused
#define DROPS 6             // the same, and what was kept is to be removed
#define ALLOWED 7           // logind has accepted, and what was asked for is to be kept (planted)

// The hook, whose state is NONE before.
#define HOLDS 1             // the alarm was read, and the supply is to be cut
#define CLEARS 2            // the owner's power-off: the switch is to be disarmed
#define CLEARED 3           // that was written, and is to be read back

// Who asked for the shutdown, and who wrote the alarm.
#define OURS 1
#define OTHERS 2

// The switch. No crash changes it.
byte alarm, alarmBy;
bool backstop;
byte count;                 // ticks that are left of the backstop, from the halt on
bool isCutting;             // it was told to cut the supply

// The kernel's copy of the alarm (planted).
byte written;

// On the card: boots in a row that served nobody.
byte unserved;

// In /run, which a boot empties.
bool isCounted;             // this boot is in the ring
bool isRequested;
byte requested;             // its alarm
bool kept;                  // the helper has kept a request that it asks logind for
byte keptAlarm;             // its alarm
bool isRefused;             // the helper's answer

byte host = ON, daemon, helper, hook;
byte order;                 // the alarm that the daemon has ordered
byte taken;                 // the alarm of the request that the helper has read
bool maySleep;
bool session, inhibitor;
bool isReboot;
byte by;                    // who asked for the shutdown

// What was promised.
byte off;                   // ticks since the halt
byte fruitless;             // sleeps since somebody was served
bool hasGivenUp;            // the switch would not be disarmed, which is logged
bool isFinal;               // the owner's power-off
bool lostAlarm, lostBackstop;   // after the hook's last reading
bool wasKept;              // the helper has kept a request in this boot
bool isLate;                // a tick has passed since the hook's last reading

#ifdef COPY_READ
#define readAlarm written
#else
#define readAlarm alarm
#endif
#ifdef BACKSTOP_UNREAD
#define hasBackstop true
#else
#define hasBackstop backstop
#endif
// The switch would wake the host at an instant that was ordered.
#define isAsOrdered(instant) (readAlarm == instant && readAlarm >= LEAST && hasBackstop)
#define isClear (alarm == 0 && !backstop)
#define isUp (host == ON || host == STOPPING)
// After the hook's last reading.
#define isAfterHook (hook == HOLDS || host == HALTED || host == OFF)

inline forget() {
    order = 0; taken = 0; helper = NONE; hook = NONE; isRequested = false; requested = 0;
#ifndef KEPT_ON_THE_CARD
    kept = false; keptAlarm = 0;
#endif
    isRefused = false; isCounted = false; maySleep = false; daemon = NONE; session = false; inhibitor = false;
    isReboot = false; by = NONE; isCutting = false; count = 0; off = 0; isFinal = false; isLate = false;
    lostAlarm = false; lostBackstop = false; wasKept = false; hasGivenUp = false
#ifdef COUNTED_IN_MEMORY
    ; unserved = 0
#endif
}

// The board starts: /run is empty, and the switch holds what it held.
inline boot() { forget(); host = ON }

// Nothing of an earlier order stands in the switch while the daemon serves, or it would reset the board.
inline check() {
    assert(daemon != AWAKE || hasGivenUp || alarmBy != OURS && !backstop)   // a board that serves is not armed
}

// The daemon.

// It starts, after a boot or a crash. A boot is counted before anything else.
// step woken: HostServer.begin
inline woken() {
    printf("woken: the daemon starts\n");
    isRequested = false; requested = 0; order = 0; maySleep = false;
    daemon = STARTED
}

// step countBoot: BootHistory.began
inline countBoot() {
    printf("countBoot: the boot is on the card\n");
    if
    :: !isCounted && unserved < MOST -> unserved++
    :: else
    fi;
    isCounted = true; maySleep = true; daemon = COUNTED
}

// step disarm: HostHook.disarm
// step disarm: HostServer.clear
// By the daemon, and by the hook where the owner switches the host off.
inline disarm() {
    printf("disarm: the switch is written to hold nothing\n");
    alarm = 0; alarmBy = NONE; backstop = false; written = 0; daemon = DISARMED
}

inline serve() {
    printf("serve: a client is told what it waits for\n");
    unserved = 0; fruitless = 0
}

// step arm: HostServer.arm
inline arm() {
    printf("arm: the alarm is written\n");
    alarm = AHEAD; alarmBy = OURS; written = AHEAD; order = AHEAD; daemon = ARMED
}

// step readBack: HostSleepPolicy.armed
inline readBack() {
    if
    :: isAsOrdered(order) -> printf("readBack: alarm and backstop stand in the switch\n"); daemon = VERIFIED
    :: else -> printf("readBack: the switch does not hold what was ordered\n"); order = 0; daemon = COUNTED
    fi
}

// step request: HostRequestFiles.ask
inline request() {
    printf("request: the request is written\n");
    isRequested = true; requested = order; isRefused = false; daemon = ASKED
}

// step callOff: HostRequestFiles.removeRequest
inline callOff() {
    printf("callOff: the request is withdrawn\n");
    isRequested = false; requested = 0; isRefused = false; order = 0; daemon = COUNTED
}

active proctype daemonProcess() {
    do
    :: d_step { host == ON && daemon == NONE -> woken(); check() }
    :: d_step { isUp && daemon == STARTED -> countBoot(); check() }
    :: d_step { isUp && daemon == STARTED ->
            printf("countBoot: the card refuses, so that no sleep follows\n"); daemon = COUNTED; check() }
#ifdef SERVED_ARMED
    :: d_step { isUp && daemon == COUNTED -> printf("serve: clients are served\n"); daemon = AWAKE; check() }
#endif
    :: d_step { isUp && daemon == COUNTED -> disarm(); check() }
    :: d_step { isUp && daemon == COUNTED ->
            printf("disarm: the write is lost\n"); written = 0; daemon = DISARMED; check() }
    :: d_step { isUp && daemon == DISARMED && isClear -> daemon = AWAKE; check() }
    :: d_step { isUp && daemon == DISARMED && !isClear -> daemon = COUNTED; check() }
    :: d_step { isUp && daemon == DISARMED && !isClear ->
            printf("disarm: given up\n"); hasGivenUp = true; maySleep = false; daemon = AWAKE; check() }
    :: d_step { isUp && daemon == AWAKE && (unserved || fruitless) -> serve(); check() }
    :: d_step { isUp && daemon == AWAKE && maySleep && unserved < MOST -> arm(); check() }
    :: d_step { isUp && daemon == AWAKE && maySleep && unserved < MOST ->
            printf("arm: the write is lost\n"); written = AHEAD; order = AHEAD; daemon = ARMED; check() }
    :: d_step { isUp && daemon == ARMED ->
            printf("arm: the backstop is written\n"); backstop = true; daemon = COUNTING; check() }
    :: d_step { isUp && daemon == ARMED -> printf("arm: the backstop's write is lost\n"); daemon = COUNTING; check() }
    :: d_step { isUp && daemon == COUNTING -> readBack(); check() }
    :: d_step { isUp && daemon == VERIFIED -> request(); check() }
    // Motion, a client, a helper that does not answer.
    :: d_step { isUp && (daemon == VERIFIED || daemon == ASKED && !isRefused) -> callOff(); check() }
    :: d_step { isUp && daemon == ASKED && isRefused ->
            callOff();
#ifdef REFUSED_ARMED
            daemon = AWAKE;
#endif
            check() }
    :: d_step { isUp && daemon != NONE -> printf("crash: the daemon\n"); daemon = NONE; maySleep = false; order = 0 }
    od
}

// The helper.

// step take: HostHelper.take
inline take() {
    if
    :: requested >= LEAST ->
        printf("take: the helper reads the request\n"); taken = requested; helper = TAKEN
    :: else -> printf("take: the request is too old\n"); isRefused = true
    fi
}

// step checkAgain: HostHelper.checkAgain
inline checkAgain() {
    if
    :: isAsOrdered(taken) -> printf("checkAgain: alarm and backstop stand in the switch\n"); helper = CHECKED
    :: else -> printf("checkAgain: the switch does not hold what is asked for\n"); helper = REFUSES
    fi
}

// step keep: HostHelper.keep
// What is kept already may be what the host is stopping for.
inline keep() {
    if
#ifdef KEPT_REPLACED
    :: true ->
#else
    :: kept -> printf("keep: another request is kept\n"); helper = REFUSES
    :: !kept ->
#endif
        printf("keep: the helper keeps the request for the hook\n");
        kept = true; keptAlarm = taken; wasKept = true; helper = KEPT
    fi
}

// step askLogind: HostHelper.askLogind
// logind's own decision, in one step.
inline askLogind() {
    if
    :: host == STOPPING -> printf("askLogind: the host is stopping already\n"); helper = DROPS
#if defined(ASKED_BY_ROOT) || defined(LISTED_FIRST)
    :: host == ON ->
#else
    :: host == ON && (session || inhibitor) -> printf("askLogind: refused\n"); helper = DROPS
    :: host == ON && !session && !inhibitor ->
#endif
        printf("askLogind: accepted\n");
        assert(!session && !inhibitor);         // a session or an inhibitor that is there when logind is asked holds
        host = STOPPING; by = OURS; isReboot = false;
#ifdef KEPT_LATE
        helper = ALLOWED
#else
        taken = 0; helper = NONE
#endif
    fi
}

// step answer: HostHelper.answer
inline answer() {
    printf("answer: the daemon is told that it was refused\n");
    if
    :: helper == DROPS -> kept = false; keptAlarm = 0
    :: else
    fi;
    taken = 0; helper = NONE;
    if
    :: isRequested -> isRefused = true
    :: else
    fi
}

active proctype helperProcess() {
    do
    :: d_step { isUp && helper == NONE && isRequested && !isRefused -> take(); check() }
    :: d_step { isUp && helper == TAKEN -> checkAgain(); check() }
#ifdef KEPT_LATE
    :: d_step { isUp && helper == CHECKED -> askLogind(); check() }
    :: d_step { isUp && helper == ALLOWED -> keep(); taken = 0; helper = NONE; check() }
#else
    :: d_step { isUp && helper == CHECKED -> keep(); check() }
#ifdef LISTED_FIRST
    :: d_step { isUp && helper == KEPT && !session && !inhibitor -> printf("list: nobody is there\n"); helper = LISTED }
    :: d_step { isUp && helper == KEPT && (session || inhibitor) -> helper = DROPS }
    :: d_step { isUp && helper == LISTED -> askLogind(); check() }
#else
    :: d_step { isUp && helper == KEPT -> askLogind(); check() }
#endif
#endif
    :: d_step { isUp && (helper == REFUSES || helper == DROPS) -> answer(); check() }
    :: d_step { isUp && helper != NONE -> printf("crash: the helper\n"); taken = 0; helper = NONE }
    od
}

// The hook.

inline reboot() {
    printf("reboot: the host starts again\n");
    assert(by == OURS || wasKept || isReboot);     // the owner's power-off stays one, unless a sleep was under way
    boot()
}

// step hookReads: HostHook.hookReads
inline hookReads() {
#ifdef REQUEST_BELIEVED
    if
    :: !isRequested -> clear()
    :: isRequested ->
#else
    if
    :: !kept -> clear()
    :: kept ->
#endif
        if
#ifdef NOT_READ_AT_THE_HOOK
        :: true ->
#else
        :: isAsOrdered(keptAlarm) ->
#endif
            printf("hookReads: the supply may be cut\n");
            assert(alarm > 0);              // no power-off without an alarm in the switch at the hook's last reading
            hook = HOLDS; isLate = false
#ifndef NOT_READ_AT_THE_HOOK
        :: else -> printf("hookReads: the alarm is not there\n"); reboot()
#endif
        fi
    fi
}

inline clear() {
    printf("hookReads: nothing was asked for, so that the owner's power-off is final\n");
    assert(by != OURS);                             // a sleep is not taken for the owner's power-off
    isFinal = true; hook = CLEARS
}

inline halt() { host = HALTED; hook = NONE; daemon = NONE; off = 0; count = (backstop -> BACKSTOP : 0) }

// step cut: HostHook.cut
// Told to cut, the switch does it after its delay.
inline cut() { printf("cut: the switch is told to cut\n"); isCutting = true; halt() }

active proctype hookProcess() {
    do
    // Every other program has been ended.
    :: d_step { host == STOPPING -> printf("stop: programs are ended and file systems unmounted\n");
            host = HOOK; daemon = NONE; taken = 0; helper = NONE; maySleep = false; order = 0; session = false; inhibitor = false }
    :: d_step { host == HOOK && hook == NONE && isReboot -> reboot() }
    :: d_step { host == HOOK && hook == NONE && !isReboot -> hookReads() }
    :: d_step { host == HOOK && hook == HOLDS -> cut() }
    :: d_step { host == HOOK && hook == HOLDS -> printf("cut: the command is lost\n"); lostAlarm = true; halt() }
    :: d_step { host == HOOK && hook == CLEARS ->
            printf("disarm: by the hook\n");
#ifndef LEFT_ARMED
            alarm = 0; alarmBy = NONE; backstop = false;
#endif
            hook = CLEARED }
    :: d_step { host == HOOK && hook == CLEARS -> printf("disarm: the hook's write is lost\n"); hook = CLEARED }
#ifdef LEFT_ARMED
    :: d_step { host == HOOK && hook == CLEARED -> halt() }
#else
    :: d_step { host == HOOK && hook == CLEARED && isClear -> halt() }
    :: d_step { host == HOOK && hook == CLEARED && !isClear -> hook = CLEARS }
    :: d_step { host == HOOK && hook == CLEARED && !isClear -> printf("disarm: given up\n"); hasGivenUp = true; halt() }
#endif
    // The script around it reboots where a request was kept; else the owner's power-off goes on.
    :: d_step { host == HOOK && !isReboot && (hook == NONE || hook == HOLDS) && kept -> printf("crash: the hook\n");
#ifdef HOOK_ALONE
            assert(hook == HOLDS || alarm > 0);     // no power-off that the hook has not read the alarm for
            halt()
#else
            reboot()
#endif
            }
    :: d_step { host == HOOK && !isReboot && !kept && hook != HOLDS -> printf("crash: the hook\n");
            hasGivenUp = true; isFinal = true; halt() }
    od
}

// The switch.

inline down(x) {
    if
    :: x > 0 -> x--
    :: else
    fi
}

inline fall() { down(order); down(requested); down(taken); down(keptAlarm); down(written) }

// A tick while programs run. An alarm that comes then resets the board, or is missed.
inline passUp() {
    fall();
    down(alarm);
    if
    :: alarm == 0 -> alarmBy = NONE
    :: else
    fi
}

inline wakeByAlarm() {
    printf("wake: by the alarm\n");
    assert(!isFinal || hasGivenUp || alarmBy != OURS);      // a board that its owner switched off stays off
    alarm = 0; alarmBy = NONE; boot()
}

inline wakeByBackstop() {
    printf("wake: by the backstop\n");
    assert(!isFinal || hasGivenUp);                         // a board that its owner switched off stays off
    assert(by != OURS || lostAlarm);                        // the host wakes by the alarm, unless that was destroyed
    boot()
}

// A tick while the host is down.
inline passDown() {
    down(alarm); down(count);
    if
    :: alarm == 0 && alarmBy != NONE && (host == OFF || isFinal) -> wakeByAlarm()
    :: count == 0 && backstop && !(alarm == 0 && alarmBy != NONE && (host == OFF || isFinal)) -> wakeByBackstop()
    :: else ->
        if
        :: alarm == 0 -> alarmBy = NONE
        :: else
        fi;
        if
        :: by == OURS && off <= BACKSTOP -> off++
        :: else
        fi;
        assert(off <= BACKSTOP || lostAlarm && lostBackstop)    // the host wakes within the backstop, unless both were lost
    fi
}

active proctype switchProcess() {
    do
    :: d_step { isUp -> passUp(); check() }
    :: d_step { isUp && alarm == 1 ->
            printf("wake: the alarm resets a board that runs\n"); alarm = 0; alarmBy = NONE; boot(); check() }
    // The hook and the delay of the cut take less than a tick together.
    :: d_step { (host == HOOK || host == HALTED && isCutting) && !isLate -> isLate = true; passUp() }
    :: d_step { host == HALTED && isCutting ->
            printf("cut: the supply is cut\n"); host = OFF; isCutting = false;
            if
            :: by == OURS ->
                fruitless++;
                assert(fruitless <= MOST)       // sleeps do not follow one another while nobody is served
            :: else
            fi }
    :: d_step { host == HALTED && !isCutting || host == OFF -> passDown() }
    // It loses what it holds.
    :: d_step { alarm > 0 -> printf("lose: the switch loses the alarm\n"); alarm = 0; alarmBy = NONE;
            lostAlarm = lostAlarm || isAfterHook }
    :: d_step { backstop -> printf("lose: the switch loses the backstop\n"); backstop = false; count = 0;
            lostBackstop = lostBackstop || isAfterHook }
    // The supply fails, and comes back.
    :: d_step { host != DARK -> printf("dark: the power fails\n"); forget(); host = DARK }
    :: d_step { host == DARK -> passUp() }
    :: d_step { host == DARK -> printf("boot: the power is back\n"); boot() }
    od
}

// Another program, or the kernel, that writes to the switch: until the supply is cut.
active proctype masterProcess() {
    do
    :: d_step { (isUp || host == HOOK) && alarmBy != OTHERS -> printf("rewrite: another program sets an alarm\n");
            alarm = 1; alarmBy = OTHERS; lostAlarm = lostAlarm || isAfterHook }
    :: d_step { (isUp || host == HOOK) && alarmBy != OTHERS -> printf("rewrite: another program sets a later alarm\n");
            alarm = AHEAD + 1; alarmBy = OTHERS; lostAlarm = lostAlarm || isAfterHook }
    od
}

active proctype operatorProcess() {
    do
    :: d_step { host == ON && !session -> printf("login: an operator\n"); session = true }
    :: d_step { host == ON && session -> session = false }
    :: d_step { host == ON && !inhibitor -> printf("inhibit: a program\n"); inhibitor = true }
    :: d_step { host == ON && inhibitor -> inhibitor = false }
    :: d_step { host == ON -> printf("powerOff: by the owner\n"); host = STOPPING; by = OTHERS; isReboot = false }
    :: d_step { host == ON -> printf("reboot: by the owner\n"); host = STOPPING; by = OTHERS; isReboot = true }
    :: d_step { host == OFF || host == HALTED && !isCutting -> printf("press: the button\n"); boot() }
    // A panic or a hang, which the watchdog ends.
    :: d_step { isUp || host == HOOK -> printf("panic: the host\n"); boot() }
    od
}
