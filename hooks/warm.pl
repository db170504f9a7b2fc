# Hands a hook's event to the guard server of this repository, and starts the command that it is given where none takes it up: where guard
# has no program for the machine (native/warm.c).
# No module is loaded: Socket.pm alone takes 3 ms, as long as all of this. What is sent: src/warm/protocol.ts.
my $build = '@BUILD_ID_HERE@@';
my ($dist) = __FILE__ =~ m{^(.*)/}s;
my $mac = $^O eq 'darwin';
my ($event, $whole, $id) = ('', 0, '');
if (open my $random, '<', '/dev/urandom') { sysread $random, $id, 10 }
$id = length $id == 10 ? 'warm:' . unpack('H*', $id) : '';
# Set by the hook's line, so that perl does not warn about a locale that is not installed (src/install/warm-line.ts).
delete $ENV{PERL_BADLANG} if defined $ENV{PERL_BADLANG} && $ENV{PERL_BADLANG} eq '';
binmode $_ for *STDIN, *STDOUT, *STDERR;

# The command in the place of this process.
sub cold {
  alarm 0;
  $SIG{$_} = 'DEFAULT' for 'ALRM', 'PIPE';
  exec { $ARGV[0] } @ARGV, $id || ();
  syswrite STDERR, "guard: $ARGV[0] cannot be started: $!\n";
  exit 127;
}

# The same; what was read of the event already comes to it through a pipe, which may have room for one page alone.
sub again {
  alarm 0;
  pipe my $from, my $to or exit 1;
  my $fits = $whole && length $event <= 4096;
  my $pid = $fits ? undef : fork // exit 1;
  if ($fits) { syswrite $to, $event }
  elsif (!$pid) {
    close $_ for *STDOUT, *STDERR, $from;
    $SIG{$_} = 'DEFAULT' for 'ALRM', 'PIPE';
    put($to, $event);
    while (!$whole && sysread STDIN, my $more, 65536) { put($to, $more) }
    exit 0;
  }
  open STDIN, '<&', $from;
  close $to;
  cold();
}

# All of it; false where nobody reads.
sub put {
  my ($to, $at) = ($_[0], 0);
  while ($at < length $_[1]) {
    my $size = syswrite $to, $_[1], 65536, $at;
    if (defined $size) { $at += $size }
    elsif ($! == ($mac ? 35 : 11)) { vec(my $one = '', fileno $to, 1) = 1; select undef, $one, undef, 1 }
    elsif ($! != 4) { return 0 }
  }
  return 1;
}

sub first_line {
  open my $file, '<', $_[0] or return '';
  my $line = readline $file;
  return defined $line && $line =~ /^(.*)\n?\z/ ? $1 : '';
}

# The state directory around the project, and the directory whose it is. The server asks for itself whose files an event is about.
sub place {
  my ($at, $last) = ($_[0], '');
  while (1) {
    my $git = "$at/.git";
    if (-f $git && first_line($git) =~ /^gitdir: (.+)/) {
      my $own = substr($1, 0, 1) eq '/' ? $1 : "$at/$1";
      my $common = first_line("$own/commondir") || '.';
      $git = substr($common, 0, 1) eq '/' ? $common : "$own/$common";
    }
    for my $state ("$git/guard", "$at/.guard") { return $state, $at if -f "$state/install.json" }
    my ($device, $inode) = stat $at or return;
    return if $last eq "$device:$inode";
    $last = "$device:$inode";
    $at .= '/..';
  }
}

# In a process group of its own: an interrupt in the terminal is not for it. Whoever makes the directory starts it, once in 30 s.
sub start {
  my ($dir, $root) = @_;
  my $mark = "$dir/warm/$build.starting";
  my @known = stat $mark;
  rmdir $mark if @known && time - $known[9] > 30;
  return if !mkdir $mark, 0700;
  return if fork // 1;
  setpgrp 0, 0;
  open STDIN, '<', '/dev/null';
  open $_, '>', '/dev/null' for *STDOUT, *STDERR;
  # Whoever waits for the end of a pipe that came along would wait as long as the server lives.
  for (3 .. 255) { open my $one, '<&=', $_ and close $one }
  # Threads that collect what is left, and code that is compiled late, cost more than they save there.
  exec { $ARGV[0] } $ARGV[0], '--single-threaded-gc', '--always-sparkplug', "$dist/serve-hooks.cjs", $dir, $root;
  exit 1;
}

# From here on the command runs where anything is not as it should be.
my $top = $ENV{CLAUDE_PROJECT_DIR};
my ($dir, $root) = place(defined $top && length $top ? $top : '.');
cold() if !defined $dir;
mkdir "$dir/warm", 0700;
my @own = lstat "$dir/warm";
cold() if !@own || !-d _ || $own[4] != $> || $own[2] & 077;

socket my $server, 1, 1, 0 or cold();
fcntl $server, 4, $mac ? 4 : 2048;
my ($path, $here) = "$dir/warm/$build.sock";
if (length $path > 100) {
  opendir $here, '.' or cold();
  $path = chdir "$dir/warm" ? "$build.sock" : cold();
}
my $connected = connect $server, $mac ? pack('CCa*x', length($path) + 3, 1, $path) : pack('Sa*x', 1, $path);
my $absent = !$connected && ($! == 2 || $! == ($mac ? 61 : 111));
cold() if $here && !chdir $here;
if (!$connected) {
  start($dir, $root) if $absent;
  cold();
}

# It says who it is within 50 ms, and takes the event up with that. Nothing of the event was read until then.
vec(my $one = '', fileno $server, 1) = 1;
select my $ready = $one, undef, undef, 0.05 or cold();
sysread $server, my $hello, 512 or cold();
my ($pid, $spaces, $limit) = $hello =~ /^guard-warm 1 (\d+) (\S*) (\d+)\n\z/ or cold();
# Other namespaces have other files and other processes.
cold() if $spaces ne join ',', map { readlink("/proc/self/ns/$_") || '' } 'mnt', 'pid';
if ($^O eq 'linux') {
  my ($its_pid, $its_user) = unpack 'll', getsockopt($server, 1, 17) || '';
  cold() if !defined $its_user || $its_pid != $pid || $its_user != $>;
}
my $cwd = readlink '/proc/self/cwd';
if (!defined $cwd) {
  # The shell's word, where it is that directory.
  $cwd = $ENV{PWD};
  my @told = defined $cwd ? stat $cwd : ();
  my @is = stat '.';
  cold() if !@told || !@is || "@told[0, 1]" ne "@is[0, 1]";
}
fcntl $server, 4, 0;
$SIG{PIPE} = 'IGNORE';
$SIG{ALRM} = \&again;
alarm $limit;

while (1) {
  my $size = sysread STDIN, $event, 65536, length $event;
  if (!defined $size) {
    next if $! == 4;
    last if $! != ($mac ? 35 : 11);
    vec(my $in = '', fileno STDIN, 1) = 1;
    select $in, undef, undef, 1;
  }
  elsif ($size == 0) { last }
  elsif (length $event > 8388608) { again() }
}
$whole = 1;
# The client waits for 5 s where a session ends, and for nothing longer than this.
alarm 2 if $limit > 2 && substr($event, 0, 4096) =~ /"hook_event_name"\s*:\s*"SessionEnd"/;
my $env = join "\0", map { "$_=$ENV{$_}" } keys %ENV;
my $request = pack 'a(N/a*)4', 'E', substr($id, 5), $cwd, $env, $event;
put($server, pack('N/a*', $request)) or again();

my $answer = '';
while (sysread $server, $answer, 65536, length $answer) { }
# With the lengths, since a text that was cut off is unpacked as far as it goes.
my ($code, $out_size, $out, $err_size, $err) =
  length $answer >= 12 ? eval { unpack 'NNX4N/a*NX4N/a*', $answer } : ();
again() if !defined $err || length $answer != 12 + $out_size + $err_size || $code > 255;
alarm 0;
put(*STDOUT, $out);
put(*STDERR, $err);
exit $code;
